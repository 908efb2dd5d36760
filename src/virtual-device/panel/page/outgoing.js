import { make } from './dom.js';
import { choice, field, form, row } from './form-parts.js';
import { translate } from './words.js';

const methods = ['POST', 'GET', 'PUT', 'DELETE'].map((method) => [method]);
const logins = ['standard', 'basic', 'none'].map((auth) => [auth, translate(`outgoing.auths.${auth}`)]);

export function startOutgoing(send) {
  const text = (properties) => make('input', { type: 'text', ...properties });
  const method = choice(methods);
  const target = text({ required: true, placeholder: '127.0.0.1:1880' });
  const path = text({ required: true, value: '/' });
  const payload = text({ placeholder: translate('outgoing.noPayload') });
  const auth = choice(logins);
  const answer = make('p', { class: 'detail', role: 'status' });
  const submit = async () => {
    answer.textContent = '';
    const given = { method: method.value, target: target.value, path: path.value, auth: auth.value };
    if (payload.value !== '') given.payload = payload.value;
    const got = await send('call', given);
    if (got) answer.textContent = translate('outgoing.answer', { status: got.status });
  };
  return form(
    submit,
    row(field(translate('outgoing.method'), method), field(translate('outgoing.target'), target)),
    row(field(translate('outgoing.path'), path), field(translate('outgoing.payload'), payload)),
    row(field(translate('outgoing.auth'), auth), make('button', {}, translate('outgoing.send'))),
    answer,
  );
}
