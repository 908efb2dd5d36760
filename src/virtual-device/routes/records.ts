import { defaultInputMode, temperature } from '../choices';
import type { Core } from '../core';
import type { ProductClass } from '../product/models';
import { dateOf, dayAt } from '../schedule/days';
import type { ConsoleEventType, DeviceState } from '../state/state';

type TextRecord = Readonly<Record<string, string>>;

export function aboutRecord({ model, firmware, macAddress }: Core): TextRecord {
  return {
    'Product Name': model.productName,
    'Firmware Version': firmware,
    'MAC Address': macAddress,
    'Hardware Info': 'virtual',
    'Manufacturer Certificate': 'Installed',
  };
}

const sounding: readonly ProductClass[] = ['speaker', 'paging adapter', 'intercom'];

const multicastModes = ['Disabled', 'Transmitter', 'Receiver'];

const consoleTexts: Readonly<Record<ConsoleEventType, string>> = {
  emergency: 'Emergency Alert Active',
  call: 'Call Active',
  pageMic: 'Paging with Mic Active',
  pageTone: 'Paging with Tone Active',
};

export function statusRecord(device: Core): TextRecord {
  const { model, settings } = device;
  const { state } = device.keeper;
  const isSounding = model.classes.some((word) => sounding.includes(word));
  return {
    'Device Name': device.name,
    'SIP Registration': 'No Account',
    'Call Status': state.call ? 'Connected' : 'Idle',
    'Proxy Status': 'Single proxy mode',
    'Provisioning Status': 'Disabled',
    MAC: device.macAddress,
    IPv4: '127.0.0.1/8',
    'Date / Time': dateText(device.clock.now()),
    'Multicast Mode': multicastText(device),
    ...(isSounding ? { Volume: volumeText(settings.get('audio.page.vol') ?? '') } : {}),
    Temperature: temperature,
    ...(['8301', '8305'].includes(model.number) ? schedulerFields(device) : {}),
    ...(model.classes.includes('console') ? consoleFields(state) : {}),
    ...(model.classes.includes('display')
      ? { 'Weather Status': 'Active', 'Last Weather Update': dateText(hourBefore(device.clock.now())) }
      : {}),
    ...(model.classes.includes('console') ? {} : { 'Relay Input Status': inputText(state.inputs.relay) }),
  };
}

/** Returns a time as `Day Mon Date HH:MM:SS GMT Year`. */
function dateText(ms: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(ms)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${day} ${month} ${date} ${time} GMT ${year}`;
}

function multicastText({ multicastMode, settings, keeper }: Core): string {
  const { tone } = keeper.state;
  if (tone?.mcast === true) {
    const { address, port } = tone.state ?? keeper.state.multicast ?? {};
    const zone = address && port ? `${address}:${port}` : settings.get('mcast.tx.fixed');
    return `Transmitter (Active) zone ${zone}`;
  }
  const mode = multicastModes[Number(multicastMode)] ?? 'Disabled';
  return mode === 'Disabled' ? mode : `${mode} (Idle)`;
}

function inputText(input: string): string {
  if (input === 'Disabled') return input;
  const [, state = input, mode = defaultInputMode] = /^(\w+)(?: \((.*)\))?$/.exec(input) ?? [];
  return `${state}, Mode: ${mode}, Action: None, Tamper: No`;
}

/** Returns the volume: `-18dB` is level 4, since level = dB / 3 + 10 (docs/field-notes.md section 5). */
function volumeText(setting: string): string {
  const level = Number.parseInt(setting, 10) / 3 + 10;
  return `Page Volume: ${level} (${setting})`;
}

/** The names of event types. Only `SIP Call with Tone` is from the interface document (section 2.3). */
const actions: Readonly<Record<string, string>> = {
  play_tone: 'Play Tone',
  stream_audio: 'Stream Audio',
  sip_call: 'SIP Call with Tone',
  api_call: 'API Call',
};

function schedulerFields({ scheduler, keeper }: Core): TextRecord {
  const { place, at = 0 } = scheduler.next ?? {};
  const { name, event_type, start_time, audio } = place?.event.fields ?? {};
  const date = dateOf(dayAt(at));
  const action = event_type && actions[event_type];
  // A tone is named only for a SIP call.
  const tone = event_type === 'sip_call' ? audio : undefined;
  const textOf = (...parts: readonly unknown[]) => parts.filter(Boolean).join(', ');
  return {
    'Next Scheduled Event': place ? textOf(name, date, start_time, audio) : 'No Events Scheduled',
    'Next Scheduled Action': place ? textOf(name, action, date, start_time, tone) : 'No Actions Scheduled',
    'Current Action': keeper.state.streaming === null ? 'None' : 'Streaming Audio',
  };
}

function consoleFields(state: DeviceState): TextRecord {
  return {
    Console: consoleText(state.console),
    'Action Button': 'Idle',
    'Stand (Docking Station)': 'Audio: Handset not connected',
  };
}

function consoleText(events: DeviceState['console']): string {
  return events[0] ? consoleTexts[events[0].type] : 'Idle';
}

function hourBefore(ms: number): number {
  return ms - (ms % 3_600_000);
}
