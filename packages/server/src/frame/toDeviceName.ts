const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * A name for a device, such as `Chrome on macOS`. It consists only of words
 * from these tables, because an attacker can choose the user agent, and mails
 * show the name.
 */
export function toDeviceName(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, 500) ?? ''
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(text))?.[1]
  const browser = find(browsers) ?? 'Browser'
  const system = find(systems)
  return system ? `${browser} on ${system}` : browser
}
