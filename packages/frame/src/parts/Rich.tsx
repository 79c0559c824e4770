/** @jsxImportSource preact */
import { Fragment, type ComponentChildren } from 'preact'

/** A translated text with elements in place of `{name}` placeholders. */
export function Rich(props: { text: string; values: Readonly<Record<string, ComponentChildren>> }) {
  const { text, values } = props
  return (
    <>
      {text.split(/(\{\w+\})/).map((part, index) => (
        <Fragment key={index}>{values[part.slice(1, -1)] ?? part}</Fragment>
      ))}
    </>
  )
}
