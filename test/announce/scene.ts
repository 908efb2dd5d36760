import { Driver } from './driver';
import type { NodeProperties, Step, World } from './model/author';
import type { Device, Entry } from './model/trace';

const device: Device = {
  ...{ name: 'speaker', tone: true, text: false, put: true, dryRun: false, lacks: [], lengthUnknown: false },
  ...{ setting: 'audio.page.vol', volume: '-30dB' },
};
const node: NodeProperties = {
  ...{ name: 'one', chime: '', repeat: 1, interval: 2, volume: '', volumeThere: '', overlap: 'queue' },
  ...{ together: 5, ttl: 600 },
};

/** The numbers of the devices of a scene. */
export const [speaker, display, door] = [0, 1, 2] as const;
/** A tone, and a Buffer, of 10 s. */
export const [tone, buffer] = [1, 0] as const;

/** A step, without what a scene need not say. */
type SceneStep = { readonly kind: Step['kind']; readonly [name: string]: unknown };

interface Scene {
  /** The properties of the nodes `one`, `two` and `three` that are not as usual. */
  readonly nodes?: readonly Partial<NodeProperties>[];
  readonly devices?: readonly Partial<Device>[];
  readonly alerts?: World['alerts'];
}

/**
 * Plays some steps on the announcements, and returns in a few words what the devices were asked for and what was
 * told, up to the end of all. Each line begins with its second; lengths are rounded to 100 ms.
 */
export async function playScene(scene: Scene, ...steps: readonly SceneStep[]): Promise<string[]> {
  const names = ['one', 'two', 'three'];
  const world: World = {
    devices: [
      device,
      { ...device, name: 'display', text: true },
      { ...device, name: 'door', tone: false, text: false, put: false },
    ].map((one, index) => ({ ...one, ...scene.devices?.[index] })),
    nodes: names.map((name, index) => ({ ...node, name, ...scene.nodes?.[index] })),
    alerts: scene.alerts ?? [
      { name: 'Fire', priority: 5, outputs: ['tone'], devices: ['speaker', 'display'] },
      { name: 'Storm', priority: 5, outputs: ['screen'], devices: ['display'] },
      { name: 'Flood', priority: 5, outputs: ['text'], devices: ['display'] },
    ],
    sounds: [0, 1, 2].map((index) => ({
      ...{ isBuffer: index % 2 === 0, lengthMs: 10_000 },
      name: index % 2 === 0 ? `buffer ${index}` : `tone-${index}.wav`,
    })),
  };
  const usual = { at: 0, node: 0, targets: [speaker], sound: tone, priority: 5, text: '', device: speaker };
  const driver = new Driver(world);
  // Faults end after the last step.
  const all = [...steps, { kind: 'state', at: 60_000 } as const];
  const { entries } = await driver.play(all.map((step) => ({ ...usual, ...step }) as Step));
  const lines = entries.flatMap((entry) =>
    wordsOf(entry).map((line) => `${Math.floor(entry.t / 1_000)} ${line}`),
  );
  return [...lines, ...driver.warnings.map(() => 'warned'), ...driver.faults];
}

function wordsOf(entry: Entry): string[] {
  if (entry.is === 'event') {
    const { id, device: name, event, durationMs, reason } = entry;
    const ms = durationMs === undefined ? undefined : `${Math.round(durationMs / 100) * 100}`;
    return [[id.replace('id-', 'a'), name, event, ms, reason].filter(Boolean).join(' ')];
  }
  if (entry.is === 'output' && entry.receipts.length > 0)
    return entry.receipts.map(({ device: name, outcome, code }) =>
      [`a${entry.tag}`, name, 'receipt', outcome, code].filter(Boolean).join(' '),
    );
  if (entry.is !== 'request' || entry.op.startsWith('files/')) return [];
  const { by, device: name, op, subject, value } = entry;
  const words = by === 'own' ? (own[op] ?? op) : `${by} ${op}`;
  return [
    [name, words, op === 'tone/start' || op === 'settings/put' ? (value ?? subject) : '']
      .filter(Boolean)
      .join(' '),
  ];
}

const own: Record<string, string> = {
  ...{ 'settings/get': 'read', 'settings/put': 'write', 'tone/start': 'plays', 'tone/stop': 'stop' },
  ...{ 'screen/text-start': 'text on', 'screen/text-stop': 'text off' },
};
