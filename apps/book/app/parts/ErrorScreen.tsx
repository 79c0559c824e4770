import { TitlePage } from './TitlePage.tsx'
import { Pill } from './Pill.tsx'

/** The error page, with a link to the home page. */
export function ErrorScreen({ heading, message }: { heading: string; message: string }) {
  return (
    <TitlePage heading={heading} line={message}>
      {/* Loads a new document: this one's state is unreliable after an unexpected error. */}
      <Pill kind="ghost" href="/">
        Back to the book
      </Pill>
    </TitlePage>
  )
}
