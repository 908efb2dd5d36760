import { createHash } from 'node:crypto';
import { maxStoreBytes, toneSeconds } from '../choices';

/** The names of the pre-loaded tones (section 2.2). */
const preloadedTones: readonly string[] = [
  'bell-na.wav',
  'bell-uk.wav',
  'buzzer.wav',
  'chime.wav',
  'dogs.wav',
  'gong.wav',
  'page-notif.wav',
  'speech-test.wav',
  'tone-1kHz-max.wav',
  'warble1-low.wav',
  'warble2-med.wav',
  'warble3-high.wav',
  'warble4-trill.wav',
];

const tonesFolder = 'tones';
const sampleRate = 16_000;

/** The files of a new device, shared by all devices of a process because contents are immutable. */
export const factoryFiles: ReadonlyMap<string, Buffer> = new Map(
  preloadedTones.map((name) => [`${tonesFolder}/${name}`, silentWave(name)]),
);

/**
 * Returns silence for as long as the device plays a pre-loaded tone. The samples contain the name, so that
 * each file has a different checksum.
 */
function silentWave(name: string): Buffer {
  const samples = Buffer.alloc(toneSeconds * sampleRate * 2);
  samples.write(name, samples.length - 64, 'latin1');
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

export function refusePath(path: string): string | undefined {
  const segments = path.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..'))
    return 'a path must not contain . or .. as a segment';
  if (segments.includes('')) return 'a path must not contain an empty segment';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters to reject
  return /[\u0000-\u001f\u007f]/.test(path) ? 'a path must not contain control characters' : undefined;
}

/**
 * The files of the device in memory (section 2.6). Stored paths are relative, decoded, and have passed
 * `refusePath`.
 */
export class FileManager {
  isFull = false;
  readonly #files = new Map<string, Buffer>(factoryFiles);
  readonly #sums = new WeakMap<Buffer, string>();

  get files(): ReadonlyMap<string, Buffer> {
    return this.#files;
  }

  replaceAll(files: Iterable<readonly [string, Buffer]>): void {
    this.#files.clear();
    for (const [path, content] of files) this.#files.set(path, content);
  }

  get(path: string): Buffer | undefined {
    return this.#files.get(path);
  }

  /** Stores a file, which also creates the folders of its path. Returns a message on failure. */
  put(path: string, content: Buffer): string | undefined {
    if (this.isFolder(path)) return `${path} is a folder`;
    const parents = path.split('/').map((_, index, segments) => segments.slice(0, index).join('/'));
    const blocking = parents.find((parent) => this.#files.has(parent));
    if (blocking !== undefined) return `${blocking} is a file, not a folder`;
    const others = [...this.#files].filter(([name]) => name !== path);
    const used = others.reduce((sum, [, data]) => sum + data.length, content.length);
    if (this.isFull || used > maxStoreBytes) return 'the file manager is full';
    this.#files.set(path, content);
    return undefined;
  }

  delete(path: string): boolean {
    return this.#files.delete(path);
  }

  isFolder(path: string): boolean {
    if (path === '' || path === tonesFolder) return true;
    return [...this.#files.keys()].some((name) => name.startsWith(`${path}/`));
  }

  list(folder: string): readonly string[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = [...this.#files.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length).split('/', 1)[0] ?? '');
    if (folder === '') names.push(tonesFolder);
    return [...new Set(names)].sort();
  }

  md5sum(path: string): string | undefined {
    const content = this.#files.get(path);
    return content && this.#sumOf(content);
  }

  /** Whether a file is a pre-loaded tone, which is silent here. */
  isStandIn(path: string): boolean {
    const content = this.#files.get(path);
    return content !== undefined && content === factoryFiles.get(path);
  }

  /**
   * Returns the path of a file that a request names, with or without its folder; undefined if there is none.
   * A file in `folder` is preferred.
   */
  find(name: string, folder = ''): string | undefined {
    const likely = [`${folder}/${name}`, name].find((path) => this.#files.has(path));
    return likely ?? [...this.#files.keys()].find((path) => path.endsWith(`/${name}`));
  }

  get tones(): readonly string[] {
    return this.list(tonesFolder);
  }

  #sumOf(content: Buffer): string {
    const known = this.#sums.get(content);
    if (known !== undefined) return known;
    const sum = createHash('md5').update(content).digest('hex');
    this.#sums.set(content, sum);
    return sum;
  }
}
