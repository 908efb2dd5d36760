/** The part of Node-RED's editor, 4.1 and 5, that the dialogs use. */

/** A text of the locale files; `__name__` in it stands for a word of that name. */
type Translate = (key: string, words?: Readonly<Record<string, string>>) => string;

/** A node as the editor holds it. What is in its properties may be anything: a flow can be written by hand. */
interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  /** Of a config node: whether its own properties are right. */
  readonly valid?: boolean;
  readonly validationErrors?: readonly string[];
  readonly credentials?: StoredCredentials & { readonly _?: StoredCredentials };
  readonly _def: {
    readonly _: Translate;
    readonly category?: string;
    /** The file that the type is from; of it i18next has words by the id. */
    readonly set?: { readonly id: string };
    /** Of properties that hold ids of config nodes, of which type these are. */
    readonly defaults?: Readonly<Record<string, { readonly type?: string; readonly value?: unknown }>>;
  };
  [property: string]: unknown;
}

/** A flow, or a subflow. */
interface EditorFlow {
  readonly label?: string;
  readonly name?: string;
}

interface StoredCredentials {
  has_password?: boolean;
  has_secret?: boolean;
  has_key?: boolean;
}

/** A type that a typedInput offers: one of core's by its name, or one of our own. */
type InputType =
  | string
  | {
      readonly value: string;
      readonly label: string;
      readonly icon?: string;
      readonly hasValue?: boolean;
      readonly options?: readonly InputOption[];
      /** `true`, or what is wrong. */
      readonly validate?: (value: string) => true | string;
    };

interface InputOption {
  readonly value: string;
  readonly label: string;
}

interface JQuery {
  /** Of jQuery UI, which the editor brings. */
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
  /** Undefined where it is none, or none any more. */
  typedInput(part: 'instance'): object | undefined;
}

declare const RED: {
  readonly _: Translate;
  readonly nodes: {
    node(id: unknown): EditorNode | null;
    /** An id that no node has yet. */
    id(): string;
    /** Puts a node into the workspace, as it is. */
    add(node: Record<string, unknown>): EditorNode;
    dirty(): boolean;
    dirty(isDirty: boolean): void;
    /** What a type of node was registered with. */
    getType(type: string): EditorNode['_def'] | undefined;
    eachNode(visit: (node: EditorNode) => void): void;
    readonly registry: { getNodeTypes(): readonly string[] };
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
  /** What undo takes back. */
  readonly history: { push(event: object): void };
  readonly sidebar: { addTab(tab: object): void };
  /** The line to the runtime. */
  readonly comms: {
    subscribe(topic: string, onNews: (topic: string, news: unknown) => void): void;
    on(event: 'connect', onEvent: () => void): void;
    send(topic: string, message: object): void;
  };
  readonly utils: {
    getNodeLabel(node: EditorNode, fallback: string): string;
    /** `true`, or what is wrong. */
    validateTypedProperty(value: string, type: string): boolean | string;
  };
};

/** What the editor has its words in, by languages and namespaces. */
declare const i18next: {
  /** The language of the editor, and those that stand in for it. */
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
  /** What the pages of the nodes call; not there when a user disables the plugin. */
  algoForm?: object;
  /** Not there where the script is only read. */
  RED?: typeof RED;
}
