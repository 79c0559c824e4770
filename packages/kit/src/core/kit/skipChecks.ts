import type * as Checks from './checkOptions.ts'

// Replaces checkOptions.ts in production builds. See docs/adr/0012-checks-in-development.md.

export const checkOptions: typeof Checks.checkOptions = () => {}
export const alertOptions: typeof Checks.alertOptions = () => {}
export const checkLocale: typeof Checks.checkLocale = () => {}
export const checkView: typeof Checks.checkView = () => {}
export const checkRendering: typeof Checks.checkRendering = () => {}
