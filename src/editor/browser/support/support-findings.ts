import {
  findUnsupported,
  needsOfAny,
  type RestrictedOperation,
  type Unsupported,
} from '../../../catalogue/compatibility';
import type { Identity } from '../../../catalogue/identity';
import type { FormatPhrase } from '../../../catalogue/phrases';
import { portableReplacements } from '../../../catalogue/strobe-patterns';
import { availabilityOf, joined } from '../../availability';
import { phraseFormatterWith } from '../language/sentences';
import type { RowField } from '../operations/field';
import { givenIn } from '../operations/requirements';
import { valuesFor, worded } from '../operations/values';

interface KnownTarget {
  readonly name: string;
  readonly identity: Identity;
  /** Whether the runtime skips the checks of model and firmware and sends all commands to the target. */
  readonly letDeviceDecide: boolean;
}

interface Alike {
  readonly identity: Identity;
  readonly letDeviceDecide: boolean;
  readonly names: string[];
}

const maxNamed = 3;

export class SupportFindings {
  private readonly alike: readonly Alike[];
  private readonly formatPhrase: FormatPhrase;

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
    this.formatPhrase = phraseFormatterWith(translate);
  }

  ofOperation(operation: RestrictedOperation): string {
    return this.sentenceFor((identity) => needsOfAny(operation).findUnsupported(identity));
  }

  /**
   * Returns a sentence about the targets that do not support a field or its value; '' if there are none.
   * Leaves out the targets that do not support the operation itself.
   * @param entry the field's entry in the form
   */
  ofField(operation: RestrictedOperation, name: string, entry: unknown): string {
    const given = givenIn(operation, { [name]: entry });
    return this.sentenceFor((identity) =>
      needsOfAny(operation).findUnsupported(identity)
        ? undefined
        : findUnsupported(operation, given, identity),
    );
  }

  /** Returns a sentence about the targets that do not support a value of a field; '' if there are none. */
  ofValue(field: RowField, value: string): string {
    const { models = [], valueModels = {}, pick, names } = field;
    if (!Object.hasOwn(valueModels, value)) return '';
    const unsupported = this.alike.filter(({ identity: { model = '' } }) => {
      if (!models.includes(model)) return false;
      const [found] = valuesFor(field, [value], model);
      return !found || found.isUnsupported === true;
    });
    const [first] = unsupported;
    if (!first) return '';
    const replacement =
      pick === 'pattern' && Object.hasOwn(portableReplacements, value)
        ? portableReplacements[value]
        : undefined;
    const words = {
      value: worded(field, value, this.translate),
      ...(replacement && { kin: worded(field, replacement, this.translate) }),
      what: first.identity.model ?? '',
      names: this.named(unsupported),
    };
    const key = replacement ? 'kin' : names ? 'value' : 'asIs';
    return this.translate(`form.unsupported.${key}${this.targets.length > 1 ? 'At' : ''}`, words);
  }

  private sentenceFor(find: (identity: Identity) => Unsupported | undefined): string {
    const found = this.alike.flatMap((alike) => {
      const unsupported = alike.letDeviceDecide ? undefined : find(alike.identity);
      return unsupported ? [{ alike, unsupported }] : [];
    });
    const [first] = found;
    if (!first) return '';
    const { because, need } = first.unsupported;
    const { products, ...since } = need;
    // The sentence names only the requirements that a target does not meet.
    const reasons = new Set(found.map(({ unsupported }) => unsupported.because));
    const unmet = { ...(reasons.has('model') && { products }), ...(reasons.has('firmware') && since) };
    const availability = availabilityOf(unmet, this.formatPhrase);
    if (this.targets.length > 1) {
      const names = this.named(found.map(({ alike }) => alike));
      return this.translate('form.unsupported.at', { names, availability });
    }
    const what = first.alike.identity[because] ?? '';
    return this.translate(`form.unsupported.${because}`, { what, availability });
  }

  private named(unsupported: readonly Alike[]): string {
    const names = unsupported.flatMap((alike) => alike.names);
    const hidden = names.length - maxNamed;
    if (hidden <= 0) return joined(names, this.formatPhrase);
    const named = names.slice(0, maxNamed).join(', ');
    return this.translate('form.unsupported.more', { names: named, count: String(hidden) });
  }
}
