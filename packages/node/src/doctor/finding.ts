/** Findings of the doctor. */

/** Best to worst. */
export const levels = ['ok', 'warning', 'problem'] as const
export type Level = (typeof levels)[number]

/** Result of one check. */
export interface Finding {
  level: Level
  about: string
  text: string
  /** Advice, unless all is well. */
  advice?: string
}

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })

export const warning = (about: string, text: string, advice: string): Finding => ({
  level: 'warning',
  about,
  text,
  advice,
})

/** @param advice unless the text contains it */
export const problem = (about: string, text: string, advice?: string): Finding => ({
  level: 'problem',
  about,
  text,
  advice,
})

/** The worst level of some findings. */
export const worst = (findings: readonly Finding[]): Level =>
  levels.findLast((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

/** A finding in one line. */
export const lineOf = ({ level, about, text, advice }: Finding): string =>
  `${level.padEnd(8)} ${about}: ${text}${advice ? `; ${advice}` : ''}`
