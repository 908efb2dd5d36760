import { createHash } from 'node:crypto';
import type { Profile } from './fleet';
import type { Whole } from './wire';

type Fixed = readonly [path: RegExp, value: unknown];

/** Answers that are the same for every device. */
const fixed: readonly Fixed[] = [
  [/^\/api\/info\/tonelist$/, { tonelist: ['chime.wav'] }],
  [/^\/api\/console\/event\/status$/, { active: [] }],
  [/^\/api\/schedules/, { format: 'v2.0', events: [], groups: [] }],
  [/upgrade\/check$/, { version: 'updated' }],
  [/upgrade\/start$/, { status: 'updated', url: '' }],
  [/action\/restore$/, { Restore: 'Restoring to default' }],
];

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** What a device remembers of what it did, so that it can be read back, and what it has to say. */
export class Memory {
  private readonly settings = new Map<string, string>();
  private readonly sums = new Map<string, string>();

  constructor(private readonly profile: Profile) {}

  take({ method, path, body }: Whole): void {
    if (method === 'PUT' && path === '/api/settings') {
      for (const [name, value] of Object.entries(JSON.parse(body.toString()))) {
        this.settings.set(name, String(value));
      }
    }
    if (method === 'PUT' && path.startsWith('/api/files/')) {
      this.sums.set(path.replace('/api/files/', ''), createHash('md5').update(body).digest('hex'));
    }
    if (path.endsWith('/noise/update')) {
      this.settings.set('audio.noise.level', JSON.parse(body.toString()).level);
    }
  }

  answer({ method, path }: Whole): Buffer {
    const name = path.slice(path.lastIndexOf('/') + 1).split('?')[0] ?? '';
    const found = fixed.find(([pattern]) => pattern.test(path));
    if (found) return json(found[1]);
    if (path.endsWith('/event/stop')) return Buffer.from('Stopped 1 event(s).');
    if (path === '/api/info/about') {
      const product = `Algo ${this.profile.model ?? '9999'} IP Endpoint`;
      return json({ 'Product Name': product, 'Firmware Version': '5.7' });
    }
    if (path === '/api/info/status') return json({ 'Device Name': this.profile.name, 'Call Status': 'Idle' });
    if (path.startsWith('/api/info/input')) return json({ [name]: 'idle' });
    if (path.startsWith('/api/info/')) return json({ [name]: this.settings.get(name) ?? '-40' });
    if (path.startsWith('/api/settings/')) return json({ [name]: this.settings.get(name) ?? name });
    if (path.startsWith('/api/file-md5sum/')) {
      return json({ md5sum: this.sums.get(path.replace('/api/file-md5sum/', '')) ?? '0'.repeat(32) });
    }
    if (path.startsWith('/api/soak/')) return json({ soak: name });
    if (path.startsWith('/api/files/') && method === 'GET') return json({ filelist: [name] });
    return Buffer.alloc(0);
  }
}
