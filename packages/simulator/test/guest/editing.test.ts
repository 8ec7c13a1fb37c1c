/** Line editing in the shell of a simulated guest, also across servers. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { screenLine } from '../../src/os/screen-line.ts'
import { Shell } from '../../src/os/shell.ts'
import { BOOTED, decoder, encoder, spec, startGuest, noNetwork } from '../support/guest.ts'

describe('line editing', () => {
  const [up, down, right, left] = ['\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D'] as const
  test.each([
    ['abc', 'abc|'],
    [`abc${left}${left}X`, 'aX|bc'],
    [`abc${left}\x7f`, 'a|c'],
    ['\x7f\x7fab\x7f', 'a|'],
    ['abc\x01X\x05Y', 'XabcY|'],
    [`abc${left.repeat(9)}X${right.repeat(9)}Y`, 'XabcY|'],
    ['abc\x1bOHX\x1b[FY\x1b[1~Z', 'Z|XabcY'],
    [`abc${left}\x1b[3~`, 'ab|'],
    ['one two\x17', 'one |'],
    ['one two\x15', '|'],
    ['one two\x1bb\x0b', 'one |'],
    ['one two\x17\x01\x19', 'two|one '],
    ['one two\x1b[1;5D\x1b[1;5DX\x1bfY', 'XoneY| two'],
    ['日本\x7f\x02é', 'é|日'],
    ['a\x1bqb', 'ab|'],
    ['\x1b[200~x', '^[[200~x|'],
    [`echo 1\recho 2\r${up}`, 'echo 2|'],
    [`echo 1\recho 2\r${up}${up}${up}`, 'echo 1|'],
    [`echo 1\rnew${up}${down}${down}`, 'new|'],
    [`echo 1\recho 1\recho 2\r${up}${up}${left}X`, 'echo X|1'],
    ['abc\x0c', 'abc|'],
    ['abc\x03', '|'],
    ['abc\x02\x04', 'ab|'],
  ])('%j is shown as %s', (keys, shown) => {
    const { type, line } = startGuest()
    // Byte by byte, as a terminal may send them.
    for (const byte of encoder.encode(keys)) type(String.fromCharCode(byte))
    const whole = startGuest()
    whole.type(keys)
    expect(whole.line()).toBe(`guest:~# ${shown}`)
    if (![...keys].some((char) => char > '~')) expect(line()).toBe(whole.line())
  })

  test('keys that would print endlessly are limited', () => {
    const { shell } = startGuest()
    shell.type(encoder.encode('x'.repeat(4_000)))
    expect(shell.type(encoder.encode('\x01\x05'.repeat(30_000))).length).toBeLessThan(300_000)
    shell.type(encoder.encode('\x05'))
    shell.type(encoder.encode('x'.repeat(200_000)))
    // A line of such a length cannot be edited or run either.
    expect(decoder.decode(shell.type(encoder.encode('\x01')))).toBe('\x07')
    expect(decoder.decode(shell.type(encoder.encode('\r')))).toBe(
      '\r\nsh: line is too long\r\nguest:~# ',
    )
  })

  test('bytes arriving separately make the same keys', () => {
    const { shell, output } = startGuest()
    let shown = ''
    for (const byte of encoder.encode('é日\x1b[D\x1b[1;5C!')) {
      shown += decoder.decode(shell.type([byte]))
    }
    expect(screenLine(output() + shown).text).toBe('guest:~# é日!')
  })

  test('the line on the screen is the line that runs, whatever was pressed', () => {
    const key = fc.constantFrom('a', 'b', ' ', 'é', '日', up, down, left, right)
    const edit = fc.constantFrom('\x7f', '\x01', '\x05', '\x0b', '\x15', '\x17', '\x19', '\x1b[3~')
    const keys = fc.array(fc.oneof(key, key, edit), { maxLength: 30 })
    fc.assert(
      fc.property(keys, (pressed) => {
        const { type, line, output } = startGuest()
        type('echo first\recho second\r')
        type(pressed.join(''))
        const seen = line()
        // Another server takes over from the screen.
        const other = new Shell(spec, { now: () => BOOTED, upSince: () => BOOTED }, noNetwork)
        expect(other.resume(encoder.encode(output()))).toBe('')
        const bar = decoder.decode(other.type(encoder.encode('X')))
        const { text } = screenLine(output().split('\n').at(-1)! + bar)
        expect(text).toBe(seen.replace('|', 'X'))
      }),
      { numRuns: 300 },
    )
  })

  test('Tab completes programs and paths, and lists candidates the second time', () => {
    const { type, line } = startGuest()
    type('unam\t')
    expect(line()).toBe('guest:~# uname |')
    type('\x15cat /et\tos\t')
    expect(line()).toBe('guest:~# cat /etc/os-release |')
    type('\x15ls /etc/h\t')
    expect(line()).toBe('guest:~# ls /etc/host|')
    type('\t')
    expect(line()).toBe('guest:~# ls /etc/host|')
    const options = type('\t')
    expect(options).toContain('hostname  hosts')
    expect(line()).toBe('guest:~# ls /etc/host|')
    // Directories only, and hidden ones only on request.
    type('\x15cd ~steading/\t')
    expect(line()).toBe('guest:~# cd ~steading/|')
    type('.\t')
    expect(line()).toBe('guest:~# cd ~steading/.ssh/|')
    type('\x15dmesg | gre\t')
    expect(line()).toBe('guest:~# dmesg | grep |')
    type('\x15zzz\t\t')
    expect(line()).toBe('guest:~# zzz|')
  })

  test('Ctrl+D leaves the shell, which shows its greeting again', () => {
    const { type, line } = startGuest()
    type('cd /etc\r')
    expect(line()).toBe('guest:/etc# |')
    expect(type('\x04')).toMatch(/^exit\r\n[^]*Welcome to guest[^]*guest:~# $/)
  })

  test('keys typed while a program runs are handled afterwards', () => {
    const { shell, output, type } = startGuest()
    shell.type(encoder.encode('seq 100000\r'))
    shell.type(encoder.encode('echo later\r'))
    type('')
    expect(output()).toMatch(/guest:~# echo later\r\nlater\r\nguest:~# $/)
  })
})

describe('a shell that takes over from another one', () => {
  const resumed = (output: string) => {
    const next = startGuest()
    const shown = next.shell.resume(encoder.encode(output))
    return { ...next, shown }
  }

  test('has the same directory, history and line', () => {
    const first = startGuest()
    first.type('echo one\rcd /etc\recho given up\x03printf two\recho thr')
    const { type, shown } = resumed(first.output())
    expect(shown).toBe('')
    expect(type('ee\r')).toBe('ee\r\nthree\r\nguest:/etc# ')
    expect(type('history\r')).toMatch(
      /1 {2}echo one\r\n +2 {2}cd \/etc\r\n +3 {2}printf two\r\n +4 {2}echo three\r\n/,
    )
  })

  test('prompts again after a program that ended with its server', () => {
    const first = startGuest()
    first.type('cd /var\r')
    first.shell.type(encoder.encode('yes\r'))
    const { shown } = resumed(`${first.output()}yes\r\ny\r\ny\r\n`)
    expect(shown).toBe('\r\nguest:/var# ')
  })
})
