import type {
  OverviewAlert,
  OverviewAnnouncement,
  OverviewRow,
  OverviewSupervision,
} from '../../../runtime/answers';
import { button } from '../page/button';
import { errorHelp } from '../tools/error-help';
import { clockWords, lastWords, reportWords, stateWords } from './columns';
import { errorWords, momentWords, nodeWords, operationWords, statusWords, withColon, words } from './words';

interface DetailsUse {
  close(): void;
  ask(ids: readonly string[]): void;
  nameOf(id: string): string | undefined;
}

export class Details {
  readonly element = $('<section class="algo-details" aria-labelledby="algo-details-title">').hide();
  private readonly title = $('<h3 id="algo-details-title" tabindex="-1">');
  private readonly facts = $('<dl>');
  private readonly help = $('<div>');
  private readonly buttons = $('<div class="algo-buttons">');
  private readonly users = $('<div>');
  private shown: string | undefined;
  private helped: string | undefined;

  constructor(private readonly use: DetailsUse) {
    const close = button(words('details.close'), () => use.close(), 'times').addClass('algo-close');
    this.element.append(
      $('<div class="algo-head">').append(this.title, close),
      this.buttons,
      this.facts,
      this.help,
      this.users,
    );
    this.element.on('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      use.close();
    });
  }

  get id(): string | undefined {
    return this.shown;
  }

  open(row: OverviewRow): void {
    this.shown = row.id;
    this.title.text(row.name);
    this.drawButtons(row);
    this.drawUsers(row);
    this.element.show();
    this.refresh(row);
  }

  /** The help link is replaced only if the error code changes, since the link might have the focus. */
  refresh(row: OverviewRow): void {
    const facts = this.factsOf(row).filter(([, text]) => text !== '');
    this.facts.empty();
    for (const [key, text] of facts) {
      this.facts.append($('<dt>').text(words(`fact.${key}`)), $('<dd>').text(text));
    }
    this.drawHelp(row.error?.code);
  }

  focus(): void {
    this.title.trigger('focus');
  }

  close(): void {
    this.shown = undefined;
    this.element.hide();
  }

  private factsOf(row: OverviewRow): [key: string, text: string][] {
    const { address = '', product = '', model = '', firmware = '', mac = '', last, error } = row;
    const { alerts = [], pending = [], groups = [], roundTripMs, clockSeconds } = row;
    if (row.alert) return [['state', stateWords(row)], ...alertFacts(row.alert)];
    const named = (ids: readonly string[]) => ids.map((id) => this.use.nameOf(id) ?? id).join(', ');
    return [
      ['state', stateWords(row)],
      ['seen', momentWords(row.lastSeen)],
      ['supervision', supervisionWords(row.supervision)],
      ['address', address],
      ['product', product],
      ['model', model],
      ['firmware', firmware],
      ['mac', mac],
      [
        'clock',
        clockSeconds === undefined ? '' : words('fact.clockText', { clock: clockWords(clockSeconds) }),
      ],
      ['roundTrip', roundTripMs === undefined ? '' : `${roundTripMs} ms`],
      ['last', lastWords(last)],
      ['error', errorWords(error)],
      ['alerts', alerts.join(', ')],
      ['announcements', announcementsWords(row.announcements)],
      ['pending', pending.filter(isStop).map(pendingWords).join(' · ')],
      [
        'rolling',
        pending
          .filter((one) => !isStop(one))
          .map(pendingWords)
          .join(' · '),
      ],
      ['groups', named(groups)],
    ];
  }

  private drawHelp(code: string | undefined): void {
    if (this.helped === code) return;
    this.helped = code;
    this.help.empty();
    if (code !== undefined) this.help.append(errorHelp(code));
  }

  private drawButtons(row: OverviewRow): void {
    const config = configOf(row);
    const add = (label: string, icon: string, press: () => void) =>
      this.buttons.append(button(label, press, icon));
    const virtual = RED.nodes.node(config?.virtual);
    const page = virtual ? undefined : pageOf(row);
    this.buttons.empty();
    if (config && row.kind === 'alert') {
      add(words('details.edit'), 'pencil', () => RED.editor.edit(config));
    } else if (config) {
      add(words('details.edit'), 'pencil', () => RED.editor.editConfig('', config.type, config.id));
    }
    const { algoOpenPanel } = window;
    if (virtual && algoOpenPanel) {
      add(words('details.panel'), 'desktop', () => algoOpenPanel(virtual.id));
    }
    if (page !== undefined) {
      const link = $(
        '<a class="red-ui-button red-ui-button-small" target="_blank" rel="noopener noreferrer">',
      );
      link
        .attr('href', page)
        .append(
          '<i class="fa fa-external-link" aria-hidden="true">',
          document.createTextNode(` ${words('details.page')}`),
        );
      this.buttons.append(link);
    }
    if (row.kind === 'device') add(words('details.ask'), 'stethoscope', () => this.use.ask([row.id]));
  }

  private drawUsers(row: OverviewRow): void {
    this.users.toggle(row.kind !== 'alert');
    const users = usersOf(row);
    this.users.empty().append($('<h4>').text(words(users.length > 0 ? 'details.users' : 'details.noUsers')));
    const list = $('<ul>').appendTo(this.users);
    for (const node of users) {
      const name = RED.utils.getNodeLabel(node, node.id);
      const flow = RED.nodes.workspace(node.z) ?? RED.nodes.subflow(node.z);
      const label = flow ? `${name} (${flow.label || flow.name || ''})` : name;
      const link = $('<button type="button" class="algo-link">').text(label);
      link.on('click', () => RED.view.reveal(node.id));
      list.append($('<li>').append(link));
    }
    list.toggle(users.length > 0);
  }
}

function supervisionWords(supervision: OverviewSupervision | undefined): string {
  if (!supervision) return '';
  const { state, since, checks = [] } = supervision;
  const findings = checks.map((key) => {
    const [check = '', ...subject] = key.split(' ');
    const name = words(`check.${check}`);
    return subject.length > 0 ? withColon(name, subject.join(' ')) : name;
  });
  return [`${words(`supervision.${state}`)} (${momentWords(since)})`, ...findings].join(' · ');
}

function announcementsWords(announcements: OverviewRow['announcements']): string {
  if (!announcements) return '';
  const { playing, waiting, count } = announcements;
  const listed = ({ node, priority }: OverviewAnnouncement) =>
    words('announcements.listed', { node: nodeWords(node), priority: String(priority) });
  const more = count - waiting.length;
  const list = [...waiting.map(listed), ...(more > 0 ? [`+${more}`] : [])].join(', ');
  return [
    ...(playing ? [words('announcements.playing', { node: listed(playing) })] : []),
    ...(count > 0 ? [words('announcements.waitingList', { list })] : []),
  ].join(' · ');
}

function alertFacts({ people = [], report }: OverviewAlert): [key: string, text: string][] {
  const at = (moment: string | undefined, by: string | undefined) =>
    [momentWords(moment), ...(by === undefined ? [] : [by])].join(' · ');
  const answers = people.map(({ by, at, answer }) =>
    answer === undefined ? `${by} (${momentWords(at)})` : withColon(`${by} (${momentWords(at)})`, answer),
  );
  const missed = report?.list?.map(({ device, operation, outcome, reason }) =>
    withColon(device, `${operationWords(operation)} (${reason ?? statusWords(outcome)})`),
  );
  return [
    ['started', report ? at(report.startedAt, report.startedBy) : ''],
    ['cleared', report?.clearedAt === undefined ? '' : at(report.clearedAt, report.clearedBy)],
    ['acknowledged', answers.join(' · ')],
    ['report', reportWords(report)],
    ['missed', (missed ?? []).join(' · ')],
  ];
}

/** Whether a pending command is a stop, not part of a rolling message. */
function isStop({ waitsFor }: NonNullable<OverviewRow['pending']>[number]): boolean {
  return waitsFor === undefined;
}

function pendingWords({ operation, by, due, waitsFor }: NonNullable<OverviewRow['pending']>[number]): string {
  const values = { operation: operationWords(operation), by, time: momentWords(due) };
  if (waitsFor) return words(waitsFor === 'turn' ? 'pending.turn' : 'pending.end', values);
  return words(due === undefined ? 'pending.now' : 'pending.due', values);
}

const configType = /^algo-(device|group)(?:\[\])?$/;

function usersOf({ id, groups = [] }: OverviewRow): EditorNode[] {
  const wanted = new Set([id, ...groups]);
  const users: EditorNode[] = [];
  RED.nodes.eachNode((node) => {
    if (idsIn(node).some((one) => wanted.has(one))) users.push(node);
  });
  return users;
}

function idsIn(node: EditorNode): string[] {
  const target = node.target || 'device';
  return Object.entries(node._def.defaults ?? {}).flatMap(([property, { type = '' }]) => {
    const kind = configType.exec(type)?.[1];
    const ofTarget = property === 'targets' ? 'several' : kind;
    // A node keeps the id of a device after the user has selected a group as its target. Such an id does not
    // count.
    if (kind === undefined || ('target' in node && ofTarget !== target)) return [];
    return [node[property]].flat().map(String);
  });
}

function configOf({ id, groups = [] }: OverviewRow): EditorNode | null {
  const owner = groups.find((group) => id.startsWith(`${group}/`) || id.startsWith(`${group}#`));
  return RED.nodes.node(id) ?? RED.nodes.node(owner);
}

function pageOf({ address }: OverviewRow): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
