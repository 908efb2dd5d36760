import {
  findUnsupported,
  needsOfAny,
  type RestrictedOperation,
  type Unsupported,
} from '../../../catalogue/compatibility';
import type { Identity } from '../../../catalogue/identity';
import type { FormatPhrase } from '../../../catalogue/phrases';
import { patternKin } from '../../../catalogue/strobe-patterns';
import { availabilityOf, joined } from '../../availability';
import { sayWith } from '../language/sentences';
import type { RowField } from '../operations/field';
import { givenIn } from '../operations/requirements';
import { valuesFor, worded } from '../operations/values';

/** A target, and who it is, as far as that is known. */
interface KnownTarget {
  readonly name: string;
  readonly identity: Identity;
  /** A person wants everything to be sent to it. */
  readonly letDeviceDecide: boolean;
}

/** Targets that lack the same for the same reason. */
interface Alike {
  readonly identity: Identity;
  readonly letDeviceDecide: boolean;
  readonly names: string[];
}

/** The maximum number of members that a sentence names. */
const maxNamed = 3;

/** Says what the targets of a node lack, as the runtime will decide it when it sends; '' where nothing is known to. */
export class Lacking {
  /** In a group most are of one model. */
  private readonly alike: readonly Alike[];
  private readonly say: FormatPhrase;

  constructor(
    private readonly targets: readonly KnownTarget[],
    private readonly translate: Translate,
  ) {
    const found = new Map<string, Alike>();
    for (const { name, identity, letDeviceDecide } of targets) {
      const key = JSON.stringify([identity.model, identity.firmware, letDeviceDecide]);
      const alike = found.get(key) ?? { identity, letDeviceDecide, names: [] };
      alike.names.push(name);
      found.set(key, alike);
    }
    this.alike = [...found.values()];
    this.say = sayWith(translate);
  }

  ofOperation(operation: RestrictedOperation): string {
    return this.ofLack((identity) => needsOfAny(operation).lackOf(identity));
  }

  /**
   * What lacks a field, or what is written in it; who lacks the whole operation is not named again.
   * @param entry as a form holds it
   */
  ofField(operation: RestrictedOperation, name: string, entry: unknown): string {
    const given = givenIn(operation, { [name]: entry });
    return this.ofLack((identity) =>
      needsOfAny(operation).lackOf(identity) ? undefined : findUnsupported(operation, given, identity),
    );
  }

  /**
   * What lacks a value that not all models have. Of a name, such as a pattern's, there is a kin, or nothing is sent;
   * a value that the wire has is sent as it is.
   */
  ofValue(field: RowField, value: string): string {
    const { models = [], valueModels = {}, pick, names } = field;
    if (!Object.hasOwn(valueModels, value)) return '';
    const lacking = this.alike.filter(({ identity: { model = '' } }) => {
      if (!models.includes(model)) return false;
      const [found] = valuesFor(field, [value], model);
      return !found || found.isLacking === true;
    });
    const [first] = lacking;
    if (!first) return '';
    const kin = pick === 'pattern' && Object.hasOwn(patternKin, value) ? patternKin[value] : undefined;
    const words = {
      value: worded(field, value, this.translate),
      ...(kin && { kin: worded(field, kin, this.translate) }),
      what: first.identity.model ?? '',
      names: this.named(lacking),
    };
    const key = kin ? 'kin' : names ? 'value' : 'asIs';
    return this.translate(`form.lacks.${key}${this.targets.length > 1 ? 'At' : ''}`, words);
  }

  private ofLack(lackFor: (identity: Identity) => Unsupported | undefined): string {
    const found = this.alike.flatMap((alike) => {
      const lack = alike.letDeviceDecide ? undefined : lackFor(alike.identity);
      return lack ? [{ alike, lack }] : [];
    });
    const [first] = found;
    if (!first) return '';
    const { because, need } = first.lack;
    const { products, ...since } = need;
    // Of who has it only that is said which somebody here does not meet.
    const reasons = new Set(found.map(({ lack }) => lack.because));
    const unmet = { ...(reasons.has('model') && { products }), ...(reasons.has('firmware') && since) };
    const availability = availabilityOf(unmet, this.say);
    if (this.targets.length > 1) {
      const names = this.named(found.map(({ alike }) => alike));
      return this.translate('form.lacks.at', { names, availability });
    }
    const what = first.alike.identity[because] ?? '';
    return this.translate(`form.lacks.${because}`, { what, availability });
  }

  private named(lacking: readonly Alike[]): string {
    const names = lacking.flatMap((alike) => alike.names);
    const hidden = names.length - maxNamed;
    if (hidden <= 0) return joined(names, this.say);
    const named = names.slice(0, maxNamed).join(', ');
    return this.translate('form.lacks.more', { names: named, count: String(hidden) });
  }
}
