const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]$|^\p{Emoji_Presentation}$/u

/** Columns of a character on the screen. */
export function widthOf(char: string): number {
  if (char <= '~') return 1
  if (/^\p{Mark}$/u.test(char) || char === '\u200d') return 0
  return wide.test(char) ? 2 : 1
}

export const columnsOf = (chars: readonly string[]): number =>
  chars.reduce((sum, char) => sum + widthOf(char), 0)
