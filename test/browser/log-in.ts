import type { Editor } from './editor';
import type { Session } from './session';

/** Opens the editor as one of the people who may log in in the place of the one before. */
export async function logIn({ nodeRed: { url }, show }: Session, username: string): Promise<Editor> {
  const editor = await show(async (page) => {
    await page.goto(url);
    await page.locator('#node-dialog-login-username').fill(username);
    await page.locator('#node-dialog-login-password').fill('secret');
    await page.locator('#node-dialog-login-submit').click();
    await page.locator('#red-ui-palette').waitFor();
  });
  // Answers to requests before the login.
  const faults = editor.faults.splice(0);
  editor.faults.push(...faults.filter((fault) => !fault.endsWith('401 (Unauthorized)')));
  return editor;
}
