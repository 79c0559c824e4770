import { Opening } from './Opening.tsx'
import { Pill } from './Pill.tsx'

/** What a visitor sees instead of a page that is not there or broke, with the way home. */
export function ErrorScreen({ heading, message }: { heading: string; message: string }) {
  return (
    <Opening heading={heading} line={message}>
      {/* A whole new document: after an unexpected error nothing of this one is trusted. */}
      <Pill kind="ghost" href="/">
        Back to the book
      </Pill>
    </Opening>
  )
}
