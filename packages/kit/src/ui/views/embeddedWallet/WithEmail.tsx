/**
 * A sentence with a highlighted email address, and the page that the mail names, so that the visitor can compare them.
 * `text` has the placeholders `{email}` and `{site}`.
 */
export function WithEmail({ text, email }: { text: string; email: string }) {
  const site = typeof location === 'undefined' ? '' : location.host
  const values: Readonly<Record<string, string>> = { email, site }
  return text.split(/\{(\w+)\}/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <b key={part} className="gf-email" dir="ltr">
        {values[part]}
      </b>
    ),
  )
}
