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
  async '01 Try it without hardware'({ press, behind }) {
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
  },

  async 'Ring the bell at the start of a lesson'({ press, behind }) {
    const bell = await behind('School bell');
    await press('Lesson starts');
    assert.deepEqual(bell.state.tone, { path: 'bell-na.wav', loop: false });
  },

  async 'Play a recording once without keeping it'({ press, behind }) {
    const speaker = await behind('Yard speaker');
    await press('Recording is ready');
    assert.deepEqual(speaker.state.upload, { path: 'uploaded file', loop: false });
    assert.deepEqual(speaker.log.at(-1)?.parameters, { type: 'audio/wav', bytes: 32044 });
  },

  async 'Flash the strobes red when the relay closes'({ press, behind }) {
    const [corridor, gym] = await Promise.all(['Corridor strobe', 'Gym strobe'].map(behind));
    assert.ok(corridor && gym);
    assert.deepEqual([corridor.state.strobe, gym.state.strobe], [null, null]);
    // A relay that is closed at the first reading sets nothing off.
    const adapter = await behind('Paging adapter');
    await settled(() => requestsOf(adapter).some((request) => request.includes('relay')));
    const everybody = ['Corridor strobe', 'Gym strobe'].map((name) => [name, 'accepted']);
    const did = (operation: string) => (message: TestMessage) =>
      message.receipts?.[0]?.operation === operation;
    assert.deepEqual(outcomes(await press('Close the relay', did('strobe/start'))), everybody);
    const red = { color1: 'red', duration: 300 };
    assert.deepEqual(corridor.state.strobe, { ...red, pattern: 15, ledlvl: '255' });
    assert.deepEqual(gym.state.strobe, { ...red, pattern: 9, ledlvl: '3' });
    assert.deepEqual(outcomes(await press('Open the relay', did('strobe/stop'))), everybody);
    assert.deepEqual([corridor.state.strobe, gym.state.strobe], [null, null]);
  },

  async 'Show an announcement on a display for a minute'({ press, behind }) {
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

  async 'Start a lockdown everywhere and give the all-clear'({ press, behind }) {
    const names = ['Corridor strobe', 'Hall display', 'Paging adapter'];
    const building = await Promise.all(names.map(behind));
    const alerts = () => building.map(({ state }) => state.emergency);
    const accepted = names.map((name) => [name, 'accepted']);
    assert.deepEqual(outcomes(await press('Lockdown')), accepted);
    assert.deepEqual(alerts(), [1, 1, 1]);
    assert.deepEqual(outcomes(await press('All clear')), accepted);
    assert.deepEqual(alerts(), [null, null, null]);
  },

  async 'Lockdown everywhere, and show who got it'({ press, behind }) {
    const names = ['Paging adapter', 'Hall display', 'Corridor strobe'];
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
        ['Paging adapter', '5.7'],
        ['Hall display', '5.6'],
        ['Front door', '5.5'],
      ],
    );
  },

  async 'Doorbell opens the door, never longer than ten seconds'({ press, behind }) {
    const door = await behind('Front door');
    await press('Doorbell rings');
    assert.equal(door.state.doors.local, 'unlocked');
    const isOpen = () => door.state.doors.local === 'unlocked';
    while (isOpen()) await once(door, 'request');
    assert.deepEqual(requestsOf(door), ['POST /api/controls/door/unlock', 'POST /api/controls/door/lock']);
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

  async "Skip tomorrow's bells with one message"({ press, behind }) {
    const bells = await behind('School bells');
    await press('Set up a bell');
    /** The days of the coming week without a bell. */
    const skipped = async () => {
      const { payload } = await press('Preview this week');
      const { events } = payload as { events: Record<string, { name: string; skipped: number }[]> };
      assert.equal(Object.keys(events).length, 7);
      assert.ok(Object.values(events).every(([bell]) => bell?.name === 'First lesson'));
      return Object.keys(events).filter((day) => events[day]?.some(({ skipped }) => skipped === 1));
    };
    assert.deepEqual(await skipped(), []);
    await press('No school tomorrow');
    assert.deepEqual(bells.log.at(-1)?.parameters, { skip: [{ evid: -1, date: dayFromNow(1) }] });
    assert.deepEqual(await skipped(), [dayFromNow(1)]);
    await press('School after all');
    assert.deepEqual(await skipped(), []);
  },

  async 'Turn the volume down at night and check it'({ press, behind }) {
    const speaker = await behind('Yard speaker');
    assert.deepEqual(outcomes(await press('Evening')), [['Yard speaker', 'confirmed']]);
    assert.equal(speaker.settings['audio.page.vol'], '-30dB');
    assert.deepEqual((await press('How loud is it?')).payload, { 'audio.page.vol': '-30dB' });
    assert.deepEqual(outcomes(await press('Morning')), [['Yard speaker', 'confirmed']]);
    assert.equal(speaker.settings['audio.page.vol'], '-9dB');
  },

  async 'Store a new bell sound and ring it'({ press, behind }) {
    const bell = await behind('School bell');
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

  async 'Reboot a speaker at night and wait until it is back'({ press, behind }) {
    const speaker = await behind('Yard speaker');
    const powers: string[] = [];
    speaker.on('change', (part, { power }) => part === 'power' && powers.push(power));
    const { payload } = await press('Sunday at three');
    assert.deepEqual(powers, ['restarting', 'on']);
    assert.match(String((payload as Record<string, string>)['Product Name']), /8186/);
    assert.deepEqual(requestsOf(speaker), ['POST /api/controls/reboot']);
  },

  async 'List the firmware of every device'({ press }) {
    const { payload } = await press('Which firmware is where?');
    assert.deepEqual(payload, [
      { device: 'Front door', product: 'Algo 8063 IP Door Controller', firmware: '5.5' },
      { device: 'Hall display', product: 'Algo 8410 IP Display Speaker', firmware: '5.6' },
      { device: 'Paging adapter', product: 'Algo 8301 IP Paging Adapter & Scheduler', firmware: '5.7' },
    ]);
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

  async 'Drill on the first Monday'({ press, behind }) {
    const display = await behind('Hall display');
    assert.ok(outcomes(await press('Drill now')).length > 0);
    assert.match(JSON.stringify(display.state.overlay), /DRILL: LOCKDOWN/);
    await press('End the drill');
    assert.equal(display.state.overlay, null);
  },

  async 'Monday morning - are all devices ready'({ press, feed, behind }) {
    const ready = await press('Check now');
    assert.equal(ready.payload, 'All 3 devices are ready');
    const [hall, horn] = await Promise.all(['Hall speaker', 'Yard horn'].map(behind));
    horn?.controls.shiftClock(-120);
    await hall?.pause();
    const words = String((await press('Check now')).payload);
    assert.match(
      words,
      /^1 of 3 devices are ready\. Hall speaker: .*Yard horn: the clock of the device is 12[01] s behind/,
    );
    // No message comes of a mask.
    void feed('ready-watch', { operation: 'mask', device: 'Hall speaker', until: 3600 });
    assert.match(
      String((await press('Check now')).payload),
      /^1 of 3 devices are ready \(masked: Hall speaker until \d{4}-\d\d-\d\d\)\. Yard horn: the clock of the device is 12[01] s behind[^:]*$/,
    );
    horn?.controls.shiftClock(0);
    assert.match(
      String((await press('Check now')).payload),
      /^2 of 3 devices are ready \(masked: Hall speaker until \d{4}-\d\d-\d\d\)$/,
    );
  },

  async 'A lockdown during a weather alert'({ press, behind }) {
    const display = await behind('Hall display');
    await press('Storm');
    await press('Lockdown');
    assert.match(JSON.stringify(display.state.overlay), /LOCKDOWN/);
    await press('All clear');
    assert.match(JSON.stringify(display.state.overlay), /Storm/);
    await press('Storm is over');
    assert.deepEqual([display.state.overlay, display.state.strobe], [null, null]);
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
