import { type DeviceField, namesOfOthers, weaknessesIn } from './weak-choices';

const fields = ['name', 'address', 'auth', 'password', 'certificate', 'model', 'firmware'] as const;

/**
 * Shows below each field of a dialog which settings are weak or doubtful, while the user edits them.
 * @param addresses returns the addresses of a group's rows; a device has a field for its own
 * @returns a function that updates the warnings when the addresses can have changed
 */
export function warnOfWeakness(node: EditorNode, addresses?: () => string[]): () => void {
  const names = addresses ? [] : namesOfOthers(node);
  const options = $('#algo-device-models option').get() as HTMLOptionElement[];
  const models = options.map(({ value }) => value);
  const places = new Map(fields.map((field) => [field, placeAt(field)]));
  const review = () => {
    const isVirtual = !['', '_ADD_'].includes(String($('#node-config-input-virtual').val() ?? ''));
    const found = (addresses?.() ?? [says('address')]).flatMap((address) =>
      weaknessesIn((field) => (field === 'address' ? address : says(field)), { names, models }),
    );
    for (const [field, place] of places) {
      const isShown = !isVirtual || !['auth', 'password', 'certificate'].includes(field);
      const sentences = found
        .filter((weakness) => isShown && weakness.field === field)
        .map(({ what }) => node._def._(`weak.${what}`));
      const text = [...new Set(sentences)].join(' ');
      if (place.text() !== text) place.text(text);
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

/** Adds the place for warnings below a field, and links the field to it for screen readers. */
function placeAt(field: DeviceField): JQuery {
  const id = `algo-weak-${field}`;
  const input = inputOf(field);
  const described = [input.attr('aria-describedby'), id].filter(Boolean).join(' ');
  input.attr('aria-describedby', described);
  return $(`<div class="algo-warning" role="status" id="${id}">`).insertAfter(input);
}

function inputOf(field: DeviceField): JQuery {
  return $(`#node-config-input-${field}`);
}
