/** FRR's configuration as text: sections, each with a first line and indented ones. */

export interface Section {
  head: string
  /** Its indented lines, as they are. */
  body: string[]
  /** The unindented line that ends it, as `exit` or `exit-vrf`. */
  end?: string
}

/** Lines that are no configuration. */
const isNoise = (line: string): boolean =>
  line === '' ||
  line === 'end' ||
  /^\s*!/.test(line) ||
  line.startsWith('Building configuration') ||
  line.startsWith('Current configuration')

/** The sections of a configuration as `show running-config` writes it. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd()
    if (isNoise(line)) continue
    const last = sections.at(-1)
    if (line.startsWith(' ')) last?.body.push(line)
    else if (/^exit(-\S+)?$/.test(line)) {
      if (last) last.end = line
    } else sections.push({ head: line, body: [] })
  }
  return sections
}

/** The lines of sections, as they are applied and compared. */
export const linesOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ head, body, end }) => [
    head,
    ...body,
    // Without it, the next line would belong to the section.
    ...(end === undefined ? (body.length > 0 ? ['exit'] : []) : [end]),
  ])

/** The parts of a section whose parts have sections of their own, as those of `bfd`. */
export const partsOf = ({ body }: Section): Section[] =>
  sectionsOf(body.map((line) => line.slice(1)).join('\n'))

/** A section of parts. */
export const sectionWith = (head: string, parts: readonly Section[]): Section => ({
  head,
  body: linesOf(parts.map((part) => ({ ...part, end: part.end ?? 'exit' }))).map(
    (line) => ` ${line}`,
  ),
  end: 'exit',
})
