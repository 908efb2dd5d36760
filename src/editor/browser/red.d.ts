/** The types of the part of Node-RED's editor (4.1 and 5) that the dialogs use. */

/** Returns the text with a locale key. The values of `words` replace the `__names__` in the text. */
type Translate = (key: string, words?: Readonly<Record<string, string>>) => string;

/**
 * A node in the editor. A property that is not declared here can have any value, since a flow can be
 * handwritten.
 */
interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly valid?: boolean;
  readonly validationErrors?: readonly string[];
  readonly credentials?: StoredCredentials & { readonly _?: StoredCredentials };
  readonly _def: {
    readonly _: Translate;
    readonly category?: string;
    /** The file that registered the type. Its id is the i18next namespace of the type's words. */
    readonly set?: { readonly id: string };
    /**
     * Properties of the type, keyed by name. A `type` means that the value is the id of a configuration node
     * of this type, or with `[]` a list of such ids.
     */
    readonly defaults?: Record<string, EditorProperty>;
    oneditprepare?(this: EditorNode): void;
    oneditsave?(this: EditorNode): unknown;
  };
  [property: string]: unknown;
}

interface EditorProperty {
  readonly type?: string;
  readonly value?: unknown;
  validate?(this: EditorNode, value: unknown): unknown;
}

interface EditorFlow {
  readonly label?: string;
  readonly name?: string;
}

interface StoredCredentials {
  has_password?: boolean;
  has_secret?: boolean;
  has_key?: boolean;
}

/** A type that the user can select in a typedInput: the name of a type of core, or a definition. */
type InputType =
  | string
  | {
      readonly value: string;
      readonly label: string;
      readonly icon?: string;
      readonly hasValue?: boolean;
      readonly options?: readonly InputOption[];
      readonly validate?: (value: string) => true | string;
    };

interface InputOption {
  readonly value: string;
  readonly label: string;
}

interface JQuery {
  /** Part of jQuery UI, which the editor contains. */
  sortable(options: {
    readonly axis: 'y';
    readonly handle: string;
    readonly items: string;
    readonly update: () => void;
  }): JQuery;
  typedInput(options: {
    readonly default: string;
    readonly types: readonly InputType[];
    readonly typeField?: JQuery;
  }): JQuery;
  typedInput(part: 'type' | 'value'): string;
  typedInput(part: 'type' | 'value', text: string): void;
  typedInput(part: 'types', types: readonly InputType[]): void;
  typedInput(part: 'validate'): boolean;
  /** Returns the widget; undefined if the element has no typedInput, or no longer has one. */
  typedInput(part: 'instance'): object | undefined;
}

declare const RED: {
  readonly _: Translate;
  readonly nodes: {
    node(id: unknown): EditorNode | null;
    id(): string;
    add(node: Record<string, unknown>): EditorNode;
    dirty(): boolean;
    dirty(isDirty: boolean): void;
    getType(type: string): EditorNode['_def'] | undefined;
    eachNode(visit: (node: EditorNode) => void): void;
    readonly registry: { getNodeTypes(): readonly string[] };
    /** Imports nodes into the editor. `flow` is a list of nodes, one node, or the JSON of either. */
    import(flow: unknown, ...options: readonly unknown[]): unknown;
    eachConfig(visit: (node: EditorNode) => void): void;
    workspace(id: unknown): EditorFlow | undefined;
    subflow(id: unknown): EditorFlow | undefined;
  };
  readonly events: { on(event: string, listener: (type: unknown) => void): void };
  notify(text: string | JQuery, type: 'error' | 'warning' | 'success'): void;
  readonly user?: { hasPermission(permission: string): boolean };
  readonly editor: {
    getEditStack(): readonly EditorNode[];
    validateNode(node: EditorNode): void;
    editConfig(property: string, type: string, id: string): void;
    edit(node: EditorNode): void;
  };
  readonly view: {
    reveal(id: string): void;
    redraw(isAll: boolean): void;
    redrawStatus(node: EditorNode): void;
  };
  readonly history: { push(event: object): void };
  readonly sidebar: { addTab(tab: object): void };
  readonly comms: {
    subscribe(topic: string, onNews: (topic: string, news: unknown) => void): void;
    on(event: 'connect', onEvent: () => void): void;
    send(topic: string, message: object): void;
  };
  readonly utils: {
    getNodeLabel(node: EditorNode, fallback: string): string;
    validateTypedProperty(value: string, type: string): boolean | string;
  };
};

declare const i18next: {
  /** The editor's language, then the languages that are used for missing texts. */
  readonly languages: readonly string[];
  getResource(language: string, namespace: string, key: string): object | undefined;
  addResourceBundle(
    language: string,
    namespace: string,
    words: object,
    isDeep: boolean,
    isOverwriting: boolean,
  ): void;
};

interface Window {
  /** The object that a script leaves for the other scripts, such as `algoAlert` of `algo-alert.js`. */
  [script: `algo${string}`]: unknown;
  algoForm?: object;
  /** Node-RED's editor; undefined if the script runs outside the editor, for example in a test. */
  RED?: typeof RED;
}
