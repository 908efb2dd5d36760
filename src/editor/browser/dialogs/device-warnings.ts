import { say, statusBelow } from '../page/status-below';
import { type DeviceField, namesOfOthers, weaknessesIn } from './weak-choices';

const fields = ['name', 'address', 'auth', 'password', 'certificate', 'model', 'firmware'] as const;

/**
 * Shows warnings of insecure or doubtful settings below their fields in the open dialog, and updates the
 * warnings after each edit.
 * @param addresses returns the addresses to check in the dialog of a group; absent in the dialog of a device
 * @returns a function that updates the warnings after a change of the addresses
 */
export function warnOfWeakness(node: EditorNode, addresses?: () => string[]): () => void {
  const names = addresses ? [] : namesOfOthers(node);
  const options = $('#algo-device-models option').get() as HTMLOptionElement[];
  const models = options.map(({ value }) => value);
  const places = new Map(
    fields.map((field) => [field, statusBelow(inputOf(field), `algo-weak-${field}`, 'algo-warning')]),
  );
  const review = () => {
    const isVirtual = !['', '_ADD_'].includes(String($('#node-config-input-virtual').val() ?? ''));
    const found = (addresses?.() ?? [says('address')]).flatMap((address) =>
      weaknessesIn((field) => (field === 'address' ? address : says(field)), { names, models }),
    );
    for (const [field, container] of places) {
      const isShown = !isVirtual || !['auth', 'password', 'certificate'].includes(field);
      const sentences = found
        .filter((weakness) => isShown && weakness.field === field)
        .map(({ what }) => node._def._(`weak.${what}`));
      say(container, [...new Set(sentences)].join(' '));
    }
  };
  for (const field of fields) inputOf(field).on('change input', review);
  $('#node-config-input-virtual').on('change', review);
  review();
  return review;
}

function says(field: DeviceField): string {
  return String(inputOf(field).val() ?? '');
}

/** The addresses of a group are in the table of its rows. */
function inputOf(field: DeviceField): JQuery {
  const input = $(`#node-config-input-${field}`);
  return field === 'address' && input.length === 0 ? $('.algo-rows .algo-table') : input;
}
