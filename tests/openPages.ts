import type { Page } from 'playwright-core'

/** The pages that are open in this process, for {@link ./describeFailures.ts}. */
export const openPages = new Set<Page>()
