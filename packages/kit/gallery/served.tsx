import { hydrateRoot } from 'react-dom/client'

import { createServedKit, PageButtons } from './PageButtons.tsx'

const app = document.getElementById('app')
const locale = new URLSearchParams(location.search).get('locale') ?? 'en'
if (app)
  hydrateRoot(app, <PageButtons kit={createServedKit(locale)} />, {
    // What does not match is mended by React without a word, so it is told here.
    onRecoverableError: (error) => reportError(error),
  })
