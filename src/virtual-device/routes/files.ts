import { object, required, text } from '../checks/checks';
import { httpStatus } from '../choices';
import { all, allExcept } from '../product/models';
import type { FileManager } from '../state/file-manager';
import { refusePath } from '../state/file-manager';
import { type Answer, answer, done, refuse } from '../wire/answer';
import { json, raw } from './readers';
import { type Route, route } from './route';

const fileProducts = allExcept('8039');
const pathBody = json(object({ path: required(text) }));

/** The routes of section 4.3. */
export const fileRoutes: readonly Route[] = [
  route({
    route: 'GET /api/files/{path*}',
    does: 'read a file or folder',
    firmware: '5.5',
    products: fileProducts,
    effect: ({ device, captures: { path = '' } }) => read(device.files, path),
  }),
  route({
    route: 'POST /api/files/download',
    does: 'download a file or list a folder',
    firmware: '5.5',
    products: fileProducts,
    content: pathBody,
    effect: ({ device, body }) => read(device.files, fromBody(body.path)),
  }),
  route({
    route: 'PUT /api/files/{path*}',
    does: 'store a file',
    firmware: '5.5',
    products: fileProducts,
    content: raw('application/octet-stream'),
    effect({ device, captures: { path = '' }, body }) {
      const problem = refusePath(path) ?? device.files.put(path, body.data);
      return problem ? refuse(problem) : done;
    },
  }),
  route({
    route: 'DELETE /api/files/',
    does: 'delete a file',
    firmware: '5.5',
    products: fileProducts,
    content: pathBody,
    effect({ device, body }) {
      const path = fromBody(body.path);
      const problem = refusePath(path);
      if (problem) return refuse(problem);
      return device.files.delete(path) ? done : refuse(`there is no file ${path}`, httpStatus.notFound);
    },
  }),
  route({
    route: 'GET /api/file-md5sum/{path*}',
    does: "read a file's checksum",
    firmware: '5.7',
    products: all,
    effect({ device, captures: { path = '' } }) {
      const problem = refusePath(path);
      if (problem) return refuse(problem);
      const md5sum = device.files.md5sum(path);
      return md5sum === undefined
        ? refuse(`there is no file ${path}`, httpStatus.notFound)
        : answer({ md5sum });
    },
  }),
];

function read(files: FileManager, path: string): Answer {
  const folder = path.replace(/\/$/, '');
  const problem = refusePath(folder);
  if (problem) return refuse(problem);
  if (files.isFolder(folder)) return answer({ filelist: files.list(folder) });
  const data = folder === path ? files.get(path) : undefined;
  if (!data) return refuse(`there is no file or folder ${path}`, httpStatus.notFound);
  return { status: httpStatus.success, content: { type: 'application/octet-stream', data } };
}

/** Removes one leading slash: the path in a body may be absolute. */
function fromBody(path: string): string {
  return path.replace(/^\//, '');
}
