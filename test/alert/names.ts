import type { Named } from '../../src/runtime/alert/alert';
import { devices, isRow, pick } from './world-actions';

/** Which names lead to which devices, and what deploys make of that. */
export class Names {
  readonly #leads = new Map(devices.flatMap((at) => [1, 2].map((number) => [`${at} ${number}`, at])));
  #made = 2;

  constructor(private readonly chance: () => number) {}

  /** One that leads there; undefined where none does. */
  at(where: string): Named | undefined {
    const all = [...this.#leads].filter(([, at]) => at === where);
    const [id] = all[Math.floor(this.chance() * all.length)] ?? [];
    return id === undefined ? undefined : { id, name: id, where };
  }

  /** A device that no name leads to, maybe since its last one was used again elsewhere. */
  get lost(): string | undefined {
    return devices.find((where) => !this.at(where));
  }

  /** Where that is now which was there by this name; undefined where nobody knows. */
  now(id: string, was: string): string | undefined {
    const at = this.#leads.get(id);
    const isLeft = [...this.#leads.values()].includes(was);
    if (at === undefined || (isRow(id) && isLeft)) return isLeft ? was : at;
    return at;
  }

  /** A person changes something and deploys that. @returns what */
  change(): string {
    const [id = '', other = ''] = [this.#any(), this.#any()];
    const at = this.#leads.get(id);
    if (!at || this.chance() < 0.2) return this.add(pick(this.chance, devices));
    const chosen = this.chance();
    if (chosen < 0.3) return this.#lead(id, pick(this.chance, devices));
    if (chosen < 0.5) return `${this.#lead(id, this.#leads.get(other) ?? at)}, ${this.#lead(other, at)}`;
    this.#leads.delete(id);
    if (chosen < 0.8 && isRow(id)) return `${id} is renamed, ${this.add(at)}`;
    // Added again, or another one of its name, some time later.
    if (chosen < 0.9) return `${id} is taken out`;
    return `${this.add(at)}, ${this.#lead(id, pick(this.chance, devices))}`;
  }

  /** A row leads there. @returns what that is */
  add(where: string): string {
    // An old name is used again now and then.
    this.#made += this.chance() < 0.7 ? 1 : 0;
    return this.#lead(`${where} ${this.#made}`, where);
  }

  #lead(id: string, where: string): string {
    this.#leads.set(id, where);
    return `${id} is at ${where}`;
  }

  #any(): string | undefined {
    return pick(this.chance, [...this.#leads.keys()]);
  }
}
