import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Debian's browser; another one by the environment. It asks nobody for updates. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** However busy the machine; nothing is measured by it. */
const patienceMs = 180_000;

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args, timeout: patienceMs });

/** A page that notes whatever the browser complains of: errors of the script and of the content security policy. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(patienceMs);
  context.setDefaultNavigationTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => void complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(url);
  return { page, complaints };
}

/** What a page shows follows a click a moment later: asserts again until it holds, and fails with the last reason after three minutes. */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await assertion();
    } catch (failure) {
      if (Date.now() > end) throw failure;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
