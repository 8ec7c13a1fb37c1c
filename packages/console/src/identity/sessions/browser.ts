/** The first that a browser says it is. Most say that they are others, too, so the order matters. */
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

/**
 * What a browser says about itself, in words: "Firefox on Linux". Of another program, the name that
 * it begins with.
 */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const browser = match(browsers, userAgent)
  const system = match(systems, userAgent)
  if (browser) return system ? `${browser} on ${system}` : browser
  return /^[^\s/]+/.exec(userAgent)?.[0] ?? 'Unknown'
}
