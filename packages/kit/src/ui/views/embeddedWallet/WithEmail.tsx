/**
 * A sentence with a highlighted e-mail address. `text` has the placeholder
 * `{email}`.
 */
export function WithEmail({ text, email }: { text: string; email: string }) {
  const [before, after] = text.split('{email}')
  return (
    <>
      {before}
      <b className="gf-email" dir="ltr">
        {email}
      </b>
      {after}
    </>
  )
}
