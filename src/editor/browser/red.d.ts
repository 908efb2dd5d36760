/** The part of Node-RED's editor, 4.1 and 5, that the dialogs use. */

/** Returns a text of the locale files, with each `__name__` replaced by the word of this name. */
type Translate = (key: string, words?: Readonly<Record<string, string>>) => string;

/** A node of the editor. Its properties can have any value, since a user can write a flow by hand. */
interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  /** For a config node: whether its properties are valid. */
  readonly valid?: boolean;
  readonly validationErrors?: readonly string[];
  readonly credentials?: StoredCredentials & { readonly _?: StoredCredentials };
  readonly _def: {
    readonly _: Translate;
    readonly category?: string;
    /** The file that registered the type; i18next keeps the words of the type under its id. */
    readonly set?: { readonly id: string };
    /** The properties of the type; `type` is set for a property that holds the id of a config node. */
    readonly defaults?: Record<string, EditorProperty>;
    /** When the dialog of a node opens. */
    oneditprepare?(this: EditorNode): void;
    /** When it is closed with Done. */
    oneditsave?(this: EditorNode): unknown;
  };
  [property: string]: unknown;
}

/** A property that a type of node declares. */
interface EditorProperty {
  readonly type?: string;
  readonly value?: unknown;
  /** Returns `true`, or what is wrong. */
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

/** A type of a typedInput: the name of one of core's types, or a type of our own. */
type InputType =
  | string
  | {
      readonly value: string;
      readonly label: string;
      readonly icon?: string;
      readonly hasValue?: boolean;
      readonly options?: readonly InputOption[];
      /** Returns `true` for a valid value, otherwise the message. */
      readonly validate?: (value: string) => true | string;
    };

interface InputOption {
  readonly value: string;
  readonly label: string;
}

interface JQuery {
  /** Makes a list sortable, with the jQuery UI that the editor contains. */
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
  /** Undefined if the element is not a typedInput, or no longer one. */
  typedInput(part: 'instance'): object | undefined;
}

declare const RED: {
  readonly _: Translate;
  readonly nodes: {
    node(id: unknown): EditorNode | null;
    /** Returns an unused id. */
    id(): string;
    /** Adds a node to the workspace, unchanged. */
    add(node: Record<string, unknown>): EditorNode;
    dirty(): boolean;
    dirty(isDirty: boolean): void;
    /** Returns the definition with which a type was registered. */
    getType(type: string): EditorNode['_def'] | undefined;
    eachNode(visit: (node: EditorNode) => void): void;
    readonly registry: { getNodeTypes(): readonly string[] };
    /** Puts nodes as a flow stores them into the editor: a list, one node, or their JSON. */
    import(flow: unknown, ...options: readonly unknown[]): unknown;
    eachConfig(visit: (node: EditorNode) => void): void;
    workspace(id: unknown): EditorFlow | undefined;
    subflow(id: unknown): EditorFlow | undefined;
  };
  readonly events: { on(event: string, told: (type: unknown) => void): void };
  notify(text: string | JQuery, type: 'error' | 'warning' | 'success'): void;
  readonly user?: { hasPermission(permission: string): boolean };
  readonly editor: {
    getEditStack(): readonly EditorNode[];
    validateNode(node: EditorNode): void;
    editConfig(property: string, type: string, id: string): void;
  };
  readonly view: {
    reveal(id: string): void;
    redraw(isAll: boolean): void;
    redrawStatus(node: EditorNode): void;
  };
  /** The steps that the user can undo. */
  readonly history: { push(event: object): void };
  readonly sidebar: { addTab(tab: object): void };
  /** The connection to the runtime. */
  readonly comms: {
    subscribe(topic: string, onNews: (topic: string, news: unknown) => void): void;
    on(event: 'connect', onEvent: () => void): void;
    send(topic: string, message: object): void;
  };
  readonly utils: {
    getNodeLabel(node: EditorNode, fallback: string): string;
    /** Returns `true` for a valid value, otherwise the message. */
    validateTypedProperty(value: string, type: string): boolean | string;
  };
};

/** The texts of the editor, by language and namespace. */
declare const i18next: {
  /** The language of the editor, followed by its fallbacks. */
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
  /** The functions that the pages of the nodes call; missing if the user disabled the plugin. */
  algoForm?: object;
  /** Missing if the script runs outside the editor, for example in a test. */
  RED?: typeof RED;
}
