import { directionOf, type FrameLanguage } from '@gatefold/protocol/frame'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Mail } from './Mail.ts'

export type Content = {
  to: string
  language: FrameLanguage
  brand: string
  subject: string
  /** A sentence, with placeholders such as `{origin}`. */
  lead: string
  code?: string
  link?: { label: string; url: string }
  /** More sentences. */
  lines: string[]
  /** The values of the placeholders. */
  values: Readonly<Record<string, string | number>>
  /** Labels and values. */
  facts: [label: string, value: string][]
}

/**
 * The colors of the dark theme. Mail programs without support for it ignore the style sheet and show the inline styles
 * of the light theme.
 */
const darkStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #161513 !important; color: #f3f1ea !important }
  .card { background: #201f1c !important; border-color: #38352f !important }
  .soft { color: #b5b1a6 !important }
  .inset { background: #2b2926 !important }
  .button { background: #f3f1ea !important; color: #201f1c !important }
}
@media (max-width: 480px) {
  .page { padding: 12px !important }
  .card { padding: 20px !important }
}
`

/**
 * Formats a mail as plain text and as HTML. The plain text has one fact per line, so that the order does not depend on
 * the text direction. In the HTML, values are isolated from the direction of the sentence around them.
 */
export function formatMail(content: Content): Mail {
  const { brand, code, facts, language, lead, lines, link, subject, to, values } = content
  const fill = (sentence: string) =>
    toParts(sentence, values)
      .map(({ text }) => text)
      .join('')
  const text = [
    fill(lead),
    ...(code ? [code] : []),
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    ...lines.map(fill),
    brand,
  ].join('\n\n')
  return {
    to,
    language,
    subject: `${subject} – ${brand}`,
    text,
    html: toPage(content).toString(),
  }
}

function toPage({ brand, code, facts, language, lead, lines, link, values, subject }: Content) {
  const dir = directionOf(language)
  const start = dir === 'rtl' ? 'right' : 'left'
  const sentence = (text: string) =>
    toParts(text, values).map((part) =>
      part.name === undefined
        ? part.text
        : html`<bdi
            ${part.name === 'origin' && raw('style="font-weight:600;overflow-wrap:anywhere"')}
            >${part.text}</bdi
          >`,
    )
  // Some mail programs remove `html` and `body`, so the element inside also sets the language and the direction.
  return html`<!doctype html>
    <html lang="${language}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${raw(`<style>${darkStyle}</style>`)}
      </head>
      <body class="page" style="margin:0;padding:24px;background:#f4f3ef;color:#1c1b19">
        <div
          class="page"
          lang="${language}"
          dir="${dir}"
          style="background:#f4f3ef;color:#1c1b19;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;text-align:${start}"
        >
          <div
            class="card"
            style="max-width:30em;margin:0 auto;padding:28px;background:#fff;border:1px solid #dedbd2;border-radius:12px"
          >
            <p class="soft" style="margin:0 0 20px;font-size:14px;color:#55524b">
              <bdi>${brand}</bdi>
            </p>
            <h1 style="margin:0 0 8px;font-size:20px;line-height:1.3;font-weight:600">
              ${subject}
            </h1>
            <p style="margin:0 0 20px">${sentence(lead)}</p>
            ${
              code &&
              html`<p
                class="inset"
                style="margin:0 0 20px;padding:14px;background:#f4f3ef;border-radius:8px;text-align:center;font:600 32px/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
              >
                <span dir="ltr" style="letter-spacing:.15em;padding-left:.15em">${code}</span>
              </p>`
            }
            <table
              role="presentation"
              class="inset"
              style="width:100%;margin:0 0 20px;padding:10px 14px;border-collapse:separate;border-spacing:0;background:#f4f3ef;border-radius:8px;font-size:14px"
            >
              ${facts.map(
                ([label, value]) =>
                  html`<tr>
                    <td
                      class="soft"
                      style="padding:3px 0;width:1%;white-space:nowrap;vertical-align:top;color:#55524b;text-align:${start}"
                    >
                      ${label}
                    </td>
                    <td
                      style="padding:3px 0;padding-${start}:16px;vertical-align:top;overflow-wrap:anywhere;text-align:${start}"
                    >
                      <bdi>${value}</bdi>
                    </td>
                  </tr>`,
              )}
            </table>
            ${
              link &&
              html`<p style="margin:0 0 12px">
                  <a
                    class="button"
                    href="${link.url}"
                    style="display:inline-block;padding:11px 18px;background:#1c1b19;color:#fff;border-radius:8px;font-weight:600;text-decoration:none"
                    >${link.label}</a
                  >
                </p>
                <p
                  class="soft"
                  style="margin:0 0 20px;font-size:13px;color:#55524b;word-break:break-all"
                >
                  <bdi dir="ltr">${link.url}</bdi>
                </p>`
            }
            ${lines.map((line) => html`<p style="margin:12px 0 0">${sentence(line)}</p>`)}
          </div>
        </div>
      </body>
    </html>` as HtmlEscapedString
}

/** Splits a sentence at its placeholders. Only the parts from placeholders have a name. */
function toParts(sentence: string, values: Content['values']): { text: string; name?: string }[] {
  return sentence
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? { text: part } : { text: String(values[part] ?? ''), name: part },
    )
}
