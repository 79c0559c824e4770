/** @jsxImportSource preact */

/** As `short` writes it; no longer, so that a name that a site chooses cannot widen the line. */
const shortAddress = /(\b\w{6}…\w{4}\b)/

/** A sentence whose short addresses, such as `0x12…34`, are not broken across lines. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text.split(shortAddress).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="short">
            {part}
          </span>
        ),
      )}
    </>
  )
}
