/** Keeps core from storing properties that a node lacks, where its dialog leaves them as they were shown. */
export class UnsetProperties {
  private readonly shown: ReadonlyMap<string, unknown>;

  /** Made once the dialog shows the defaults. */
  constructor(node: EditorNode) {
    const names = Object.keys(node._def.defaults ?? {}).filter((name) => node[name] === undefined);
    this.shown = new Map(names.map((name) => [name, shownIn(inputOf(name))]));
  }

  /** For `oneditsave`: core reads inputs by their id, and calls a node changed that gets a property. */
  spare(): void {
    for (const [name, value] of this.shown) {
      const input = inputOf(name);
      if (shownIn(input) === value) input.removeAttr('id');
    }
  }
}

function inputOf(name: string): JQuery {
  return $(`#node-input-${name}`);
}

function shownIn(input: JQuery): unknown {
  return input.attr('type') === 'checkbox' ? input.prop('checked') : input.val();
}
