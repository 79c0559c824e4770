import { hydrateRoot } from 'react-dom/client'

import { createServedKit, PageButtons } from './PageButtons.tsx'

const app = document.getElementById('app')
const query = new URLSearchParams(location.search)
const kit = createServedKit(query.get('locale') ?? 'en', document.cookie, query.get('setup'))
if (app)
  hydrateRoot(app, <PageButtons kit={kit} />, {
    // React recovers silently from hydration mismatches.
    onRecoverableError: (error) => reportError(error),
  })
