/** @jsxImportSource preact */

/** A whole address, because its ends can be imitated. Where it does not fit into one line, it breaks in the middle. */
export function Address({ text }: { text: string }) {
  return (
    <bdi dir="ltr">
      {text.slice(0, 22)}
      <wbr />
      {text.slice(22)}
    </bdi>
  )
}
