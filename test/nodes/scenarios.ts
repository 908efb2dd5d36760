import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { VirtualDevice } from '../../src/virtual-device/device';
import type { TestMessage } from '../fixtures/flow';
import type { Stage } from './stage';

/** A date as people and the scheduler write it, so many days from now, by this computer's time zone. */
function dayFromNow(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** What a device was asked to do and did, without the question who it is. */
export function requestsOf(device: VirtualDevice): string[] {
  return device.log
    .filter(({ path: target, outcome }) => target !== '/api/info/about' && outcome === 'done')
    .map(({ method, path: target }) => `${method} ${target}`);
}

function outcomes({ receipts = [] }: TestMessage): [string, string][] {
  return receipts.map(({ device, outcome }) => [device, outcome]);
}

/** Resolves when this holds: a message may come before all that its alert brings about. */
async function settled(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** For each example: what is pressed, and what the devices behind it then do. */
export const scenarios: Record<string, (stage: Stage) => Promise<void>> = {
  async 'Try it without hardware'({ press, behind }) {
    const strobe = await behind('Strobe');
    await press('Flash the strobe');
    const red = { pattern: 12, color1: 'red', ledlvl: '255', duration: 300 };
    assert.deepEqual(strobe.state.strobe, red);
    await press('Enough');
    assert.equal(strobe.state.strobe, null);
    await assert.rejects(press('Get an error'), /a Catch node got .*503/);
    assert.equal(strobe.state.strobe, null);
    await assert.rejects(press('Lose an answer'), /a Catch node got .*Strobe/);
    assert.deepEqual(strobe.state.strobe, red);
    await press('Enough');
    assert.equal(strobe.state.strobe, null);
  },

  async 'Unlock the door when the doorbell rings'({ press, behind }) {
    const door = await behind('Front door');
    await press('Doorbell rings');
    assert.equal(door.state.doors.local, 'unlocked');
    assert.deepEqual(door.log.at(-1)?.parameters, { doorid: 'local', duration: '5' });
    await press('Close it now');
    const isOpen = () => door.state.doors.local === 'unlocked';
    assert.equal(isOpen(), false);
    await press('Doorbell rings, older firmware');
    assert.equal(isOpen(), true);
    while (isOpen()) await once(door, 'request');
    assert.deepEqual(
      requestsOf(door),
      ['munlock', 'lock', 'unlock', 'lock'].map((verb) => `POST /api/controls/door/${verb}`),
    );
  },

  async 'Ring the bell at the start of a lesson'({ press, behind }) {
    const bells = await behind('School bells');
    await press('Lesson starts');
    assert.deepEqual(bells.state.tone, { path: 'bell-na.wav', loop: false });
    await press('Ring in thirty seconds');
    const { events } = bells.schedules as { events: { name: string }[] };
    assert.deepEqual(
      events.map(({ name }) => name),
      ['Gong'],
    );
  },

  async 'Play a recording once without keeping it'({ press, behind }) {
    const speaker = await behind('Yard speaker');
    await press('Recording is ready');
    assert.deepEqual(speaker.state.upload, { path: 'uploaded file', loop: false });
    assert.deepEqual(speaker.log.at(-1)?.parameters, { type: 'audio/wav', bytes: 32044 });
  },

  async 'Fire relay to evacuation message and strobes'({ press, next, behind }) {
    const speakers = await Promise.all(['Canteen speaker', 'Stairway speaker'].map(behind));
    const [canteen, workshop] = await Promise.all(['Canteen strobe', 'Workshop strobe'].map(behind));
    assert.ok(canteen && workshop);
    const adapter = await behind('Fire panel adapter');
    await settled(() => requestsOf(adapter).some((request) => request.includes('relay')));
    const announcements = () => speakers.map(({ state }) => state.emergency);
    const lights = () => [canteen.state.strobe, workshop.state.strobe];
    assert.deepEqual(
      [announcements(), lights()],
      [
        [null, null],
        [null, null],
      ],
    );
    const did = (operation: string) => (message: TestMessage) =>
      message.receipts?.[0]?.operation === operation;
    const both = (kind: string) => ['Canteen', 'Stairway'].map((place) => [`${place} ${kind}`, 'accepted']);
    assert.deepEqual(outcomes(await press('Close the contact', did('emergency/start'))), both('speaker'));
    await settled(() => lights().every((light) => light !== null));
    const red = { color1: 'red', duration: 300 };
    assert.deepEqual(announcements(), [1, 1]);
    assert.deepEqual(canteen.state.strobe, { ...red, pattern: 15, ledlvl: '255' });
    assert.deepEqual(workshop.state.strobe, { ...red, pattern: 9, ledlvl: '3' });
    assert.deepEqual(outcomes(await press('Open the contact', did('emergency/stop'))), both('speaker'));
    await settled(() => lights().every((light) => light === null));
    assert.deepEqual(announcements(), [null, null]);
    // An adapter that is offline is not an open contact.
    const lost = next(({ payload }) => Object(payload).connection === 'lost');
    await adapter.pause();
    await lost;
  },

  async 'Announcement with a text on the displays'({ press, behind }) {
    const display = await behind('Hall display');
    await press('Announce the assembly');
    assert.deepEqual(display.state.screen, {
      type: 'template',
      template: 'announcement',
      text1: 'Assembly in the hall',
      text2: 'Today at 10:30',
      stopAfter: 60,
    });
    await press('Bus 7 is late');
    assert.deepEqual(display.state.overlay, {
      textContent: 'Bus 7 is ten minutes late',
      duration: 60,
      textBg: true,
      textBgColor: 'navy',
      textColor: 'white',
    });
    await press('Take it down');
    assert.deepEqual([display.state.screen, display.state.overlay], [null, null]);
    assert.equal(display.log.at(-1)?.path, '/api/controls/screen-text/stop');
  },

  async 'Call the front desk when a delivery arrives'({ press, behind }) {
    const speaker = await behind('Loading dock speaker');
    await press('Delivery arrives');
    const call = { extension: '2001', tone: 'chime.wav', interval: '5', maxdur: '30' };
    assert.deepEqual(speaker.state.call, call);
    await press('Delivery accepted');
    assert.equal(speaker.state.call, null);
  },

  async 'Switch the gate light on for a minute'({ press, behind }) {
    const gate = await behind('Gate controller');
    await press('Something moves');
    assert.equal(gate.state.relay, 'enabled');
    assert.deepEqual(gate.log.at(-1)?.parameters, { duration: 60 });
    await press('Light off');
    assert.equal(gate.state.relay, 'disabled');
  },

  async 'Press a console button and stop what it started'({ press, behind }) {
    const reception = await behind('Reception console');
    await press('Lunch break');
    assert.deepEqual(reception.log.at(-1)?.parameters, { id: 'lunch' });
    assert.equal(reception.state.console.length, 1);
    const { payload } = await press('Read active events');
    assert.deepEqual(payload, { active: reception.state.console });
    await press('Quiet');
    assert.deepEqual(reception.state.console, []);
  },

  async "Lockdown by the devices' own alerts, and show who got it"({ press, behind }) {
    const names = ['Hall speaker', 'Hall display', 'Corridor strobe'];
    const school = await Promise.all(names.map(behind));
    const alerts = () => school.map(({ state }) => state.emergency);
    const everybody = names.map((name) => `${name}: accepted`).join('\n');
    assert.equal((await press('Lockdown')).payload, everybody);
    assert.deepEqual(alerts(), [1, 1, 1]);
    assert.equal((await press('All clear')).payload, everybody);
    assert.deepEqual(alerts(), [null, null, null]);
  },

  async 'Ask every device for its firmware, as a table'({ press }) {
    const { payload } = await press('Which firmware is where?');
    const [head, ...rows] = String(payload).trim().split('\n');
    assert.equal(head, 'device,product,firmware');
    assert.deepEqual(
      rows.map((row) => row.split(',')).map(([device, , firmware]) => [device, firmware]),
      [
        ['Gym speaker', '5.7'],
        ['Yard speaker', '5.7'],
        ['Gate speaker', '5.6'],
      ],
    );
    const list = await press('The same, as one list');
    const product = 'Algo 8186 SIP Horn Speaker';
    assert.deepEqual(list.payload, [
      { device: 'Gym speaker', product, firmware: '5.7' },
      { device: 'Yard speaker', product, firmware: '5.7' },
      { device: 'Gate speaker', product, firmware: '5.6' },
    ]);
  },

  async 'Log every receipt to a file'({ press, behind, folder }) {
    await behind('Yard speaker');
    const lines = async () =>
      (await readFile(path.join(folder, 'algo-receipts.jsonl'), 'utf8')).trim().split('\n');
    // The debug node behind the file: the one behind the tone may have its message before the line is written.
    const isLogged = ({ filename, payload }: TestMessage) =>
      filename !== undefined && JSON.parse(String(payload)).nodeId === 'receipt-log-play';
    await press('Play a chime', isLogged);
    await press('Play a chime', isLogged);
    const receipts = (await lines()).map((line) => JSON.parse(line));
    assert.deepEqual(
      receipts.map(({ device, operation, outcome, node }) => [device, operation, outcome, node]),
      Array.from({ length: receipts.length }, () => ['Yard speaker', 'tone/start', 'accepted', 'Play it']),
    );
    assert.equal(receipts.length, 2);
  },

  async 'Snow day or tests - no bells, and on again'({ press }) {
    await press('Set up some bells');
    /** The days of the coming week, each with what rings and what is skipped. */
    const week = async () => {
      const { payload } = await press('Read the calendar');
      const { events } = payload as { events: Record<string, { skipped: number }[]> };
      assert.equal(Object.keys(events).length, 7);
      return events;
    };
    const skipped = async () =>
      Object.entries(await week()).flatMap(([day, bells]) =>
        bells.length === 2 && bells.every((bell) => bell.skipped === 1) ? [day] : [],
      );
    assert.deepEqual(await skipped(), []);
    await press('No school tomorrow');
    assert.deepEqual(await skipped(), [dayFromNow(1)]);
    await press('Tests next week');
    const nextMonday = 7 - ((new Date().getDay() + 6) % 7);
    const silent = new Set([1, ...[0, 1, 2, 3, 4].map((days) => nextMonday + days)]);
    const inThisWeek = [...silent].filter((days) => days < 7).sort();
    assert.deepEqual(await skipped(), inThisWeek.map(dayFromNow));
    await press('School as usual');
    assert.deepEqual(await skipped(), []);
    assert.match(JSON.stringify((await press('Preview the bells')).payload), /First lesson/);
  },

  async 'Store a new bell sound and ring it'({ press, behind }) {
    const bell = await behind('School bells');
    const uploads = () =>
      requestsOf(bell).filter((request) => request === 'PUT /api/files/tones/new%20bell.wav');
    await press('Bring the new bell');
    assert.deepEqual(bell.state.tone, { path: 'new bell.wav', loop: false });
    await press('Bring the new bell');
    assert.equal(uploads().length, 1, 'the same sound is uploaded once');
    const { payload } = await press('Which tones are there?');
    assert.ok((payload as { filelist: string[] }).filelist.includes('new bell.wav'));
  },

  async 'Tell a speaker how loud the workshop is'({ press, behind }) {
    const speaker = await behind('Workshop speaker');
    assert.deepEqual(outcomes(await press('The saw is on')), [['Workshop speaker', 'confirmed']]);
    assert.equal(speaker.state.noiseLevel, '82');
    await press('The saw is off');
    assert.equal(speaker.state.noiseLevel, '45');
  },

  async 'Settings of all speakers from one table'({ press, behind }) {
    const speakers = [await behind('Gym speaker'), await behind('Yard speaker')];
    const { receipts } = await press('Apply the settings');
    assert.deepEqual(
      receipts?.map(({ outcome }) => outcome),
      ['confirmed', 'confirmed', 'confirmed'],
    );
    for (const { settings } of speakers)
      assert.deepEqual(
        ['audio.page.vol', 'audio.ring.vol', 'audio.mic.mute'].map((name) => settings[name]),
        ['-12dB', '-6dB', '1'],
      );
    const again = await press('Apply the settings');
    assert.deepEqual(
      again.receipts?.map(({ note }) => note),
      ['nothing to change', 'nothing to change', 'nothing to change'],
    );
  },

  async 'Nightly backup of all settings to files'({ press, folder }) {
    for (const device of ['Gym speaker', 'Yard speaker']) {
      await press('At two', ({ filename }) => String(filename).includes(device));
      const file = await readFile(path.join(folder, 'algo-backups', `${device}.json`), 'utf8');
      assert.equal(JSON.parse(file)['audio.page.vol'], '-18dB');
    }
  },

  async 'Day and night volume'({ press, behind }) {
    const speakers = [
      await behind('Gym speaker'),
      await behind('Yard speaker'),
      await behind('Gate speaker'),
    ];
    const volumes = () => speakers.map(({ settings }) => settings['audio.page.vol']);
    const everybody = ['Gym speaker', 'Yard speaker', 'Gate speaker'];
    for (const [button, volume] of [
      ['Evening', '-30dB'],
      ['Morning', '-9dB'],
    ] as const) {
      assert.deepEqual(
        outcomes(await press(button)),
        everybody.map((name) => [name, 'confirmed']),
      );
      assert.deepEqual(volumes(), [volume, volume, volume]);
    }
    assert.deepEqual(outcomes(await press('Louder in the yard, now')), [['Yard speaker', 'confirmed']]);
    assert.deepEqual(volumes(), ['-9dB', '-3dB', '-9dB']);
    const { receipts } = await press('Read the volumes');
    assert.deepEqual(
      receipts?.map(({ response }) => Object(response)['audio.page.vol']),
      volumes(),
    );
  },

  async 'Upgrade firmware, one device after the other, and stop at the first failure'({
    press,
    behind,
    next,
  }) {
    const speakers = await Promise.all(['Gym speaker', 'Yard speaker', 'Gate speaker'].map(behind));
    const { receipts } = await press(
      'Upgrade all',
      ({ receipts: [one] = [] }) => one?.device === 'Gate speaker',
    );
    assert.equal(receipts?.[0]?.outcome, 'confirmed');
    const started = 'POST /api/controls/upgrade/start';
    for (const speaker of speakers) assert.deepEqual(requestsOf(speaker), [started]);
    await speakers[1]?.carryOut('fault', { kind: 'not-upgraded' });
    const failed = next(({ error }) => error !== undefined);
    await Promise.all([
      press('Upgrade all'),
      assert.rejects(failed, /the device has 5\.7, not 5\.8.*Yard speaker/),
    ]);
    assert.deepEqual(
      speakers.map((speaker) => requestsOf(speaker).filter((request) => request === started).length),
      [2, 2, 1],
    );
    const powers: string[] = [];
    for (const [index, speaker] of speakers.entries())
      speaker.on('change', (part, { power }) => part === 'power' && powers.push(`${index} ${power}`));
    const isLast = ({ payload, receipts: [one] = [] }: TestMessage) =>
      one?.device === 'Gate speaker' && Object(payload)['Product Name'] !== undefined;
    await press('Sunday at three', isLast);
    assert.deepEqual(
      powers,
      [0, 1, 2].flatMap((index) => [`${index} restarting`, `${index} on`]),
    );
  },

  async 'Send a request that no node has'({ press, behind }) {
    const speaker = await behind('Yard speaker');
    const { payload } = await press('Ask for the status');
    assert.equal((payload as Record<string, string>)['Call Status'], 'Idle');
    await press('Ring');
    assert.deepEqual(speaker.state.tone, { path: 'chime.wav', loop: false });
  },

  async 'Lockdown and all-clear'({ press, behind }) {
    const [speaker, display, strobe] = await Promise.all(
      ['Hall speaker', 'Hall display', 'Corridor strobe'].map(behind),
    );
    assert.ok(speaker && display && strobe);
    const anything = () => true;
    await press('Lockdown button', anything);
    const lit = () => [display.state.overlay, speaker.state.tone, strobe.state.strobe];
    await settled(() => lit().every((one) => one !== null));
    assert.deepEqual(
      [speaker.state.tone, strobe.state.strobe?.color1],
      [{ path: 'bell-na.wav', loop: true }, 'red'],
    );
    await press('All clear', anything);
    await settled(() => [...lit(), display.state.strobe].every((one) => one === null));
  },

  async 'Monday morning - are all devices ready'({ press, feed, behind }) {
    const ready = await press('Check now');
    assert.equal(ready.payload, 'All 3 devices are ready');
    const [hall, horn] = await Promise.all(['Gym speaker', 'Yard speaker'].map(behind));
    await horn?.carryOut('clock', { ahead: -120 });
    await hall?.pause();
    const words = String((await press('Check now')).payload);
    assert.match(
      words,
      /^1 of 3 devices are ready\. Gym speaker: .*Yard speaker: the clock of the device is 12[01] s behind/,
    );
    // No message comes of a mask.
    void feed('ready-watch', { operation: 'mask', device: 'Gym speaker', until: 3600 });
    assert.match(
      String((await press('Check now')).payload),
      /^1 of 3 devices are ready \(masked: Gym speaker until \d{4}-\d\d-\d\d\)\. Yard speaker: the clock of the device is 12[01] s behind[^:]*$/,
    );
    await horn?.carryOut('clock', { ahead: 0 });
    assert.match(
      String((await press('Check now')).payload),
      /^2 of 3 devices are ready \(masked: Gym speaker until \d{4}-\d\d-\d\d\)$/,
    );
  },

  async 'A lockdown interrupts an announcement and a weather alert'({ press, next, behind }) {
    const display = await behind('Hall display');
    const overlay = () => JSON.stringify(display.state.overlay);
    await press('Storm');
    await press('Lockdown');
    assert.match(overlay(), /LOCKDOWN/);
    await press('All-clear');
    assert.match(overlay(), /Storm/);
    await press('Storm is over');
    assert.deepEqual([display.state.overlay, display.state.strobe], [null, null]);
    const isEvent = (name: string) => (message: TestMessage) => Object(message.payload).event === name;
    const started = next(isEvent('started'));
    void press('Long announcement').catch(() => {});
    await started;
    const stopped = next(isEvent('stopped'));
    await press('Lockdown');
    await stopped;
    await settled(() => overlay().includes('LOCKDOWN'));
    await press('All-clear');
    await settled(() => display.state.overlay === null);
  },

  async 'Severe weather from the NWS feed, once per warning'({ press, feed, behind }) {
    const display = await behind('Hall display');
    await press('Recorded: a warning');
    assert.match(JSON.stringify(display.state.overlay), /until 4 PM/);
    await press('Recorded: its update');
    assert.match(JSON.stringify(display.state.overlay), /until 5 PM/);
    await press('Recorded: its end');
    assert.equal(display.state.overlay, null);
    // The end of one warning is not that of another one.
    const features = [
      { properties: { id: 'one', messageType: 'Cancel', severity: 'Severe' } },
      { properties: { id: 'other', messageType: 'Alert', severity: 'Extreme', headline: 'Tornado' } },
    ];
    await feed('nws-json', { payload: JSON.stringify({ features }) });
    assert.match(JSON.stringify(display.state.overlay), /Tornado/);
    await press('Recorded: its end');
    assert.equal(display.state.overlay, null);
  },
};
