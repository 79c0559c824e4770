/** @see §9.6.2, §4.3.3 */
export const shakeMs = 500
/** Delay of the message that a method is not allowed. @see §9.6.3 */
export const messageDelayMs = 300
/** @see §9.11.1 */
export const modalWidthPx = 360
export const fontSizeMasterPx = 10
export const borderRadiusMasterPx = 4
export const zIndex = 999
export const colorMixStrengthPercent = 0
/** @see §9.11.3 */
export const persistedStateVersion = 0
/** How long a toast is shown, except a loading toast. @see docs/views.md#shell */
export const toastMs = 2_500
