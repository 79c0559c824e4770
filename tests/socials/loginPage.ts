/** The page on which a visitor logs in at a local provider. */
export const loginPage = (name: string, action: string, hidden: Record<string, string> = {}) =>
  `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>Local ${name}</title>
  <style>
    :root { color-scheme: light dark }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif }
    form { display: grid; gap: 0.75rem; width: min(20rem, calc(100vw - 2rem)) }
    h1 { margin: 0; font-size: 1.25rem }
    p { margin: 0 }
    input, button { min-height: 2.75rem; padding: 0 0.75rem; font: inherit }
  </style>
  <form method="post" action="${escape(action)}">
    <h1>Local ${name}</h1>
    <p>This page stands in for ${name} on your machine. You can log in with any address.</p>
    ${Object.entries(hidden)
      .map(([key, value]) => `<input type="hidden" name="${key}" value="${escape(value)}" />`)
      .join('')}
    <label for="email">Email address</label>
    <input id="email" name="email" type="email" value="ada@example.com" autofocus />
    <button name="answer" value="yes">Log in</button>
    <button name="answer" value="no">Cancel</button>
  </form>
</html>`

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
