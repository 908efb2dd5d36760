import { Editor } from './editor';
import { type Session, stillPages } from './session';

/** Opens the editor as one of the people who may log in, in a context of its own, which is theirs to close. */
export async function logIn({ browser, nodeRed: { url } }: Session, username: string): Promise<Editor> {
  const context = await browser.newContext();
  const editor = await Editor.open(stillPages(context), url, async (page) => {
    await page.goto(url);
    await page.locator('#node-dialog-login-username').fill(username);
    await page.locator('#node-dialog-login-password').fill('secret');
    await page.locator('#node-dialog-login-submit').click();
    await page.locator('#red-ui-palette').waitFor();
  }); // What the page asked for before anybody had logged in.
  const faults = editor.faults.splice(0);
  editor.faults.push(...faults.filter((fault) => !fault.endsWith('401 (Unauthorized)')));
  return editor;
}
