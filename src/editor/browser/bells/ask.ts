/** What a device answered to a dialog. */
export interface Said {
  readonly device?: string;
  readonly outcome?: string;
  readonly answer?: unknown;
  readonly note?: string;
  readonly code?: string;
  readonly error?: string;
}

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

/**
 * Asks a deployed device by its id. What goes wrong is in the answer's `error`.
 * @param way `look` for what only reads
 */
export async function askDevice(
  id: string,
  way: 'look' | 'change',
  asked: { readonly operation: string; readonly parameters: object },
  translate: Translate,
): Promise<Said> {
  const settings = { method: 'POST', contentType: 'application/json', data: JSON.stringify(asked) };
  try {
    // Relative, and through jQuery, so that the editor puts its own base and login before it.
    return (await $.ajax(`algo/bells/${encodeURIComponent(id)}/${way}`, settings)) as Said;
  } catch (refused) {
    const { status, responseJSON } = refused as JQuery.jqXHR<{ error?: unknown }>;
    if (status === 401) return { error: translate('bells.forbidden', { permission: permissions[way] }) };
    const words = responseJSON?.error;
    return { error: typeof words === 'string' ? words : translate('bells.noAnswer') };
  }
}

/** The device that the dialog's messages go to; undefined where it is not one that is chosen here. */
export function chosenDevice(): string | undefined {
  const id = String($('#node-input-device').val() ?? '');
  if ($('#node-input-target').val() !== 'device') return undefined;
  return RED.nodes.node(id)?.type === 'algo-device' ? id : undefined;
}
