import { holds } from './coerce';
import { describeField, shorten, show } from './describe';
import { localizedPhrase, type Text } from './localized-message';
import type { Field, Fields, Operation, Parameters, Shape, Variant, When } from './operation';

type Chosen = { readonly shape: Shape | Variant } | { readonly findings: readonly Text[] };

/**
 * Returns all fields of all variants, in the order of the variants. If variants describe a field differently,
 * the first description applies. The allowed values of all variants are joined; if a variant allows any
 * value, so does the result.
 */
export function unionOfFields(variants: readonly Variant[]): Fields {
  const names = [...new Set(variants.flatMap(({ fields }) => Object.keys(fields)))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const described = variants.flatMap(({ fields }) => fields[name] ?? []);
      return described[0] ? [[name, withAllValues(described[0], described)]] : [];
    }),
  );
}

function withAllValues({ enum: values, ...field }: Field, described: readonly Field[]): Field {
  if (!values || described.some((one) => !one.enum)) return field;
  return { ...field, enum: [...new Set(described.flatMap((one) => one.enum ?? []))] };
}

/**
 * Returns the variant whose conditions hold for the coerced parameters (section 4.8), or findings. If no
 * variant matches, or the match does not allow all parameters: returns the variant that allows all parameters
 * and can still match, if exactly one variant does.
 */
export function chooseVariant(operation: Operation, given: Parameters): Chosen {
  const { variants } = operation;
  if (!variants) return { shape: operation };
  const names = Object.keys(given);
  const held = variants.filter(({ when }) => holds(when, given));
  const matches = held.filter(({ when }) => !held.some((other) => asksForMore(other.when, when)));
  const [match, second] = matches;
  if (second) return { findings: [contradiction(matches, given)] };
  if (match && knows(match, names)) return { shape: match };
  const [likely, another] = variants.filter(
    (variant) => knows(variant, names) && couldHold(variant.when, given),
  );
  if (likely && !another) return { shape: likely };
  return match ? { shape: match } : { findings: unmatched(operation, variants, given) };
}

function knows({ fields }: Variant, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(fields, name));
}

function couldHold(when: When, given: Parameters): boolean {
  return Object.entries(when).every(
    ([name, values]) => !Object.hasOwn(given, name) || holds({ [name]: values }, given),
  );
}

export function nameVariant({ title, when }: Variant, given: Parameters = {}): string {
  const name = title.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = given[field];
    return typeof value === 'string' ? shorten(value) : (when[field]?.join(', ') ?? '');
  });
  return `the ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function asksForMore(when: When, other: When): boolean {
  const names = Object.keys(when);
  const others = Object.keys(other);
  return names.length > others.length && others.every((name) => names.includes(name));
}

function contradiction(matches: readonly Variant[], given: Parameters): Text {
  const names = [...new Set(matches.flatMap(({ when }) => Object.keys(when)))];
  const shared = names.filter((name) => matches.every(({ when }) => Object.hasOwn(when, name)));
  const culprits = names.filter((name) => !shared.includes(name));
  const wanted = matches.map((match) => nameVariant(match, given));
  return localizedPhrase('contradiction', { names: culprits.join(' and '), variants: wanted.join(' and ') });
}

function unmatched(operation: Operation, variants: readonly Variant[], given: Parameters): Text[] {
  const names = [...new Set(variants.flatMap(({ when }) => Object.keys(when)))];
  const wrong = names.filter((name) => Object.hasOwn(given, name) && !isKnown(variants, name, given[name]));
  if (wrong.length > 0) {
    return wrong.map((name) => {
      const limits = describeField(operation.fields[name], localizedPhrase);
      return localizedPhrase('wrong', { place: name, limits, got: show(given[name]) });
    });
  }
  const begun = variants.find(({ when }) => Object.keys(when).some((name) => holdsOne(when, name, given)));
  const missing = Object.keys(begun?.when ?? {}).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    return missing.map((name) =>
      localizedPhrase('missing', {
        place: name,
        limits: describeField(operation.fields[name], localizedPhrase),
      }),
    );
  }
  const first = [...new Set(variants.flatMap(({ when }) => Object.keys(when).slice(0, 1)))];
  return [localizedPhrase('saysWhatIsMeant', { place: first.join(' or ') })];
}

function isKnown(variants: readonly Variant[], name: string, value: unknown): boolean {
  const choices = variants.flatMap(({ when }) => when[name] ?? []);
  return holds({ [name]: choices }, { [name]: value });
}

function holdsOne(when: When, name: string, given: Parameters): boolean {
  return (when[name] ?? []).length > 0 && holds({ [name]: when[name] ?? [] }, given);
}
