import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { denial } from './authentication';
import { denied, type Exchange, type Fault, fair, faults, tooLate } from './faults';
import type { Profile } from './fleet';
import { now, type Request } from './history';
import type { Ledger } from './ledger';
import { type Line, patient, reset } from './line';
import { Memory } from './memory';
import { hash, Random } from './random';
import { RequestReader, type Whole } from './wire';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A device that misbehaves, by chance that depends on the seed and on which request it is. */
export class MisbehavingDevice {
  private readonly server: Server;
  private readonly faults: readonly Fault[];
  /** By the port at the other side. */
  private readonly lines = new Map<number | undefined, Line>();
  private readonly counts = new Map<string, number>();
  private readonly memory: Memory;
  private readonly life: Random;
  private connections = 0;
  private port = 0;
  private clockMs = 0;
  private stopped = false;
  private isStrange = false;
  private isCalm = false;

  constructor(
    private readonly profile: Profile,
    private readonly seed: number,
    private readonly ledger: Ledger,
    private readonly certificate: Certificate,
    /** Shown by the device for a while now and then, as if its certificate had been replaced. */
    private readonly another: Certificate,
    /** Names of faults that it does not make. */
    except: readonly string[] = [],
  ) {
    this.faults = faults.filter(({ name }) => !except.includes(name));
    this.server = profile.tls ? createTlsServer(certificate) : createServer();
    this.server.on('connection', (carrier: Socket) => {
      const line = this.watch(carrier);
      if (!profile.tls) this.serve(line);
    });
    this.server.on('secureConnection', (socket: Socket) => {
      const line = this.lines.get(socket.remotePort) ?? this.watch(socket);
      line.socket = socket;
      socket.on('error', () => {});
      this.serve(line);
    });
    for (const event of ['tlsClientError', 'error']) this.server.on(event, () => {});
    this.memory = new Memory(profile);
    this.life = new Random(hash(seed, profile.index, 'life'));
  }

  get address(): string {
    return `${this.profile.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => {
      // Another program may have been given the port while it was shut.
      const again = () => {
        if (!this.stopped) setTimeout(listen, 20);
      };
      const listen = () => this.server.listen(this.port, '127.0.0.1');
      this.server.on('error', again);
      this.server.once('listening', () => {
        this.server.removeListener('error', again);
        this.port = (this.server.address() as AddressInfo).port;
        resolve();
      });
      listen();
    });
  }

  /** One more turn of its life, in which it may go away or show another certificate, or its clock may jump. */
  live(): void {
    const chance = this.isCalm ? 1 : this.life.next();
    if (chance < 0.02 * this.profile.faultFactor) this.leave(this.life.between(50, 1500));
    else if (chance < 0.04 * this.profile.faultFactor && this.profile.tls)
      this.change(this.life.between(200, 1500));
    else if (chance < 0.07 * this.profile.faultFactor) {
      this.clockMs = this.life.pick([0, -4e6, -61_000, -12_000, 12_000, 45_000, 9e7]);
    }
  }

  /** From now on it does what it is asked. */
  calm(): void {
    this.isCalm = true;
    this.clockMs = 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const { carrier } of this.lines.values()) carrier.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  /** Shuts the port and resets every connection. */
  private leave(ms: number): void {
    if (!this.server.listening || this.stopped) return;
    const loss = this.ledger.away(this.profile.index);
    for (const line of this.lines.values()) reset(line);
    this.server.close();
    setTimeout(() => {
      if (!this.stopped) void this.start().then(() => this.ledger.back(loss));
    }, ms);
  }

  /** Shows another certificate for a while, also to whom it knows. */
  private change(ms: number): void {
    const { server } = this;
    if (!(server instanceof TlsServer) || this.isStrange) return;
    const loss = this.ledger.away(this.profile.index, true);
    for (const line of this.lines.values()) reset(line);
    this.isStrange = true;
    server.setSecureContext(this.another);
    setTimeout(() => {
      this.isStrange = false;
      server.setSecureContext(this.certificate);
      this.ledger.back(loss);
    }, ms);
  }

  /** Keeps count of a connection from its first moment to its last. */
  private watch(carrier: Socket): Line {
    const { remotePort } = carrier;
    const number = ++this.connections;
    const line: Line = {
      socket: carrier,
      carrier,
      number,
      timers: new Set(),
      requests: 0,
      isStrange: this.isStrange,
    };
    this.lines.set(remotePort, line);
    this.ledger.opened(this.profile.index, carrier);
    carrier.on('error', () => {});
    carrier.once('close', () => this.lines.delete(remotePort));
    return line;
  }

  private serve(line: Line): void {
    const { socket } = line;
    if (!this.isCalm && this.life.chance(0.03 * this.profile.faultFactor)) {
      this.ledger.lost(this.profile.index);
      reset(line);
      return;
    }
    const reader = new RequestReader();
    socket.on('data', (bytes: Buffer) => {
      clearTimeout(line.idle);
      for (const request of reader.push(bytes)) this.answer(request, line);
    });
    socket.once('close', () => {
      for (const timer of line.timers) clearTimeout(timer);
    });
  }

  /** Decides what to make of a request, does it or not, and answers or not. */
  private answer(request: Whole, line: Line): void {
    const random = new Random(hash(this.seed, this.profile.index, ...this.countOf(request)));
    const reason = denial(this.profile, request, Date.now() + this.clockMs);
    const usual = random.weighed(
      random.chance(this.isCalm ? 0 : this.profile.faultFactor) ? this.faults : fair,
    );
    const fault = line.socket.writableEnded ? tooLate : reason ? denied(reason) : usual;
    const verdict = (line.requests > 0 && fault.verdictLater) || fault.verdict;
    line.requests += 1;
    const entry: Request = {
      device: this.profile.index,
      connection: line.number,
      method: request.method,
      path: request.path,
      body: request.body.toString('latin1', 0, 4096),
      at: now(),
      fault: fault.name,
      taken: fault.taken ?? random.chance(0.5),
      verdict,
      ...(verdict === 'no' && fault.code !== undefined && { code: fault.code }),
    };
    this.ledger.requests.push(entry);
    if (line.isStrange && this.profile.certificate === 'pin') {
      this.ledger.complaints.push(`device ${entry.device} was asked under a certificate that is not pinned`);
    }
    if (entry.taken) this.take(request);
    fault.play(this.exchange(request, entry, line, random));
  }

  private countOf({ method, path }: Whole): [string, number] {
    const asked = `${method} ${path}`;
    const count = (this.counts.get(asked) ?? 0) + 1;
    this.counts.set(asked, count);
    return [asked, count];
  }

  private take(request: Whole): void {
    this.memory.take(request);
    const restarts = !this.isCalm && /reboot$|restore$|upgrade\/start$/.test(request.path);
    if (restarts && this.life.chance(0.3)) setTimeout(() => this.leave(this.life.between(200, 900)), 30);
  }

  private exchange(request: Whole, entry: Request, line: Line, random: Random): Exchange {
    const { socket } = line;
    const lost = () => this.ledger.lost(this.profile.index);
    const isPatient = patient.test(request.path);
    const later: Exchange['later'] = (ms, act) => {
      const timer = setTimeout(() => {
        line.timers.delete(timer);
        act();
      }, ms);
      line.timers.add(timer);
      return timer;
    };
    const end = () => {
      lost();
      socket.end();
    };
    return {
      random,
      body: this.memory.answer(request),
      limitMs: isPatient ? 60_000 : this.profile.timeout * 1000,
      patient: isPatient,
      date: new Date(Date.now() + this.clockMs).toUTCString(),
      write: (bytes) => void socket.write(bytes),
      done: () => {
        socket.write('', () => {
          if (!socket.destroyed) entry.answeredAt = now();
        });
        if (this.profile.idleMs > 0) line.idle = later(this.profile.idleMs, end);
      },
      idle: (ms, act) => {
        clearTimeout(line.idle);
        line.idle = later(ms, act);
      },
      later,
      end,
      reset: () => {
        lost();
        reset(line);
      },
    };
  }
}
