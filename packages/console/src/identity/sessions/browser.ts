/** The first match wins. Most browsers also claim to be others, so the order matters. */
const browsers: [sign: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: [sign: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const match = (among: [RegExp, string][], text: string) =>
  among.find(([sign]) => sign.test(text))?.[1]

/** A user agent in words: "Firefox on Linux". For other programs, the name at its beginning. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const browser = match(browsers, userAgent)
  const system = match(systems, userAgent)
  if (browser) return system ? `${browser} on ${system}` : browser
  return /^[^\s/]+/.exec(userAgent)?.[0] ?? 'Unknown'
}
