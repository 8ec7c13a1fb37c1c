/** The model of a machine behind the console of a simulated guest, and the shell in front of it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern, PatternError } from '../src/engines/simulated/os/pattern.ts'
import { screenLine } from '../src/engines/simulated/os/screen-line.ts'
import { Shell } from '../src/engines/simulated/os/shell.ts'
import type { MachineSpec } from '../src/kernel/ports/machines.ts'
import { fullSpec } from './support/engine-conformance.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const spec = fullSpec({ id: 'sled', serial: 'BRM-0001' })
const BOOTED = Date.UTC(2026, 10, 22, 9, 0, 0)
const HOUR = 3_600_000

interface Options {
  spec?: MachineSpec
  now?: number
}

function start({ spec: made = spec, now = BOOTED + 2 * HOUR }: Options = {}) {
  const shell = new Shell(made, { now: () => now, upSince: () => BOOTED })
  let output = `${made.hostname}:~# `
  /** Presses keys, and waits for what runs. */
  const type = (keys: string): string => {
    let shown = decoder.decode(shell.type(encoder.encode(keys)))
    while (shell.busy) shown += decoder.decode(shell.run())
    output += shown
    return shown
  }
  return {
    shell,
    type,
    /** What a line prints, without the echo and the prompt after it. */
    answer(line: string): string {
      const shown = type(`${line}\r`)
      expect(shown.startsWith(`${line}\r\n`)).toBe(true)
      return shown
        .slice(line.length + 2)
        .replaceAll('\r\n', '\n')
        .replace(/guest:[~/][^#]*# $/, '')
    },
    output: () => output,
    /** The last line as it looks on the screen, with a bar at the cursor. */
    line(): string {
      const { text, back } = screenLine(output.split('\n').at(-1)!)
      const chars = [...text]
      chars.splice(chars.length - back, 0, '|')
      return chars.join('')
    },
  }
}

describe('a program prints what the machine is', () => {
  const everything: [line: string, answer: string | RegExp][] = [
    ['hostname', 'guest\n'],
    ['hostname -I', '172.30.0.5 fd00::5\n'],
    ['whoami', 'root\n'],
    ['nproc', '2\n'],
    ['pwd', '/root\n'],
    ['uname', 'Linux\n'],
    ['uname -n -m', 'guest x86_64\n'],
    ['uname -a', /^Linux guest \S+ .*GNU\/Linux\n$/],
    ['date', 'Sun Nov 22 11:00:00 UTC 2026\n'],
    ['date +%F_%T', '2026-11-22_11:00:00\n'],
    ['uptime', ' 11:00:00 up 2:00,  1 user,  load average: 0.00, 0.00, 0.00\n'],
    ['cat /proc/uptime', '7200.00 14400.00\n'],
    ['cat /etc/hostname', 'guest\n'],
    ['grep PRETTY /etc/os-release', 'PRETTY_NAME="Steading simulated guest 1.0"\n'],
    ['grep -c processor /proc/cpuinfo', '2\n'],
    ['head -1 /proc/meminfo', 'MemTotal:        1015808 kB\n'],
    ['cat /home/steading/.ssh/authorized_keys', 'ssh-ed25519 AAAA key\n'],
    ['cat /var/lib/cloud/instance/user-data.txt', '#cloud-config'],
    ['cat /sys/class/net/net0/address', 'a8:40:25:f0:00:01\n'],
    ['free | grep Mem', /^Mem: +1015808 +74392 +843004 +872 +98412 +931574\n$/],
    ['free -h | grep Mem', /^Mem: +992M +73M/],
    ['df -h | grep nvme', /^\/dev\/nvme0n1p1 1023M 358M +665M +36% \/\n$/],
    [
      'lsblk',
      /nvme0n1 +259:0 +1G +0 disk +boot\n└─nvme0n1p1 .* part \/\nnvme1n1 +259:2 +2G +1 disk +data\n$/,
    ],
    ['ip addr show net0', /inet 172\.30\.0\.5\/22 [^]*inet6 fd00::5\/64/],
    ['ip a | grep -c inet', '4\n'],
    ['ip -4 a | grep -c inet', '2\n'],
    ['ip link', /2: net0: <.*UP.*>[^]*link\/ether a8:40:25:f0:00:01/],
    ['ip -br addr show net0', /^net0 +UP +172\.30\.0\.5\/22 fd00::5\/64\n$/],
    [
      'ip route',
      'default via 172.30.0.1 dev net0\n172.30.0.0/22 dev net0 scope link src 172.30.0.5\n',
    ],
    ['ip addr show eth9', 'Device "eth9" does not exist.\n'],
    ['ip', /^usage: ip/],
    ['dmesg | tail -n 1', /\] reached target multi-user\n$/],
    ['dmesg | grep data', /nvme1: data, 2 GiB, read-only\n$/],
    ['ps', /PID USER TTY[^]* -sh\n[^]* ps\n$/],
    ['ps aux | grep sshd', /\/bin\/sshd -D\n$/],
    ['env | grep HOME', 'HOME=/root\n'],
    ['mount | head -1', '/dev/nvme0n1p1 on / type ext4 (ro,relatime)\n'],
  ]
  test.each(everything)('%s', (line, answer) => {
    const printed = start().answer(line)
    if (typeof answer === 'string') expect(printed).toBe(answer)
    else expect(printed).toMatch(answer)
  })

  test('also without disks, interfaces, keys and user data', () => {
    const bare = { ...spec, volumes: [], interfaces: [], sshPublicKeys: [], userData: '' }
    const { answer } = start({ spec: bare })
    expect(answer('lsblk | wc -l')).toBe('1\n')
    expect(answer('df | grep -c rootfs')).toBe('1\n')
    expect(answer('ip a | grep -c inet')).toBe('2\n')
    expect(answer('cat /home/steading/.ssh/* /var/lib/cloud/instance/user-data.txt')).toBe('')
  })

  test('and help names every program that does something', () => {
    const { answer } = start()
    const help = answer('help')
    for (const name of [
      'ls',
      'cat',
      'grep',
      'ip',
      'df',
      'free',
      'ps',
      'dmesg',
      'uptime',
      'poweroff',
    ]) {
      expect(help).toMatch(new RegExp(`^${name} .*\\w`, 'm'))
    }
    expect(answer('ls /bin | wc -l')).toMatch(/^[3-9]\d\n$/)
  })
})

describe('the file tree', () => {
  test.each([
    ['ls /', 'bin  dev  etc  home  proc  root  run  sys  tmp  var\n'],
    ['ls / | head -2', 'bin\ndev\n'],
    ['ls -a ~steading', '.  ..  .ssh\n'],
    ['ls -l /etc/hostname', '-rw-r--r-- 1 root root 6 Nov 22 09:00 /etc/hostname\n'],
    ['ls -ld /tmp', /^drwxrwxrwt 2 root root 4096/],
    ['ls -l /dev/null', /^crw-rw-rw- /],
    ['ls /etc /home', /^\/etc:\n[^]*\n\n\/home:\nsteading\n$/],
    ['ls /none /etc/hosts', 'ls: /none: No such file or directory\n/etc/hosts\n'],
    ['cat /etc/../etc//./hostname', 'guest\n'],
    ['cat /etc/hostname/', /No such file/],
    ['cat /etc', 'cat: /etc: Is a directory\n'],
    ['cat none /etc/hostname', 'cat: none: No such file or directory\nguest\n'],
    ['echo /etc/host*', '/etc/hostname /etc/hosts\n'],
    ['echo "/etc/host*" /etc/none*', '/etc/host* /etc/none*\n'],
    ['echo /*/hostn?me', '/bin/hostname /etc/hostname\n'],
    ['cd /etc && cat hostname', 'guest\n'],
    ['cd /none', 'sh: cd: /none: No such file or directory\n'],
    ['cd /etc/hostname', 'sh: cd: /etc/hostname: Not a directory\n'],
    ['echo x > /etc/motd', 'sh: /etc/motd: Read-only file system\n'],
    ['echo x > /etc', 'sh: /etc: Is a directory\n'],
    ['echo x > /dev/null', ''],
    ['cat < /etc/hostname', 'guest\n'],
    ['cat < /none', 'sh: /none: No such file or directory\n'],
  ] as [string, string | RegExp][])('%s', (line, answer) => {
    const printed = start().answer(line)
    if (typeof answer === 'string') expect(printed).toBe(answer)
    else expect(printed).toMatch(answer)
  })
})

describe('programs handle text, and lines are put together', () => {
  test.each([
    ['seq 3', '1\n2\n3\n'],
    ['yes no | head -n 2', 'no\nno\n'],
    ['seq 20 | tail -2', '19\n20\n'],
    ['seq 5 | head -0', ''],
    ['seq 1000 | wc', '   1000    1000    3893\n'],
    ['seq 10 | grep 1', '1\n10\n'],
    ['seq 10 | grep -v 1 | head -1', '2\n'],
    ['seq 10 | grep -cE "^(1|2)"', 'grep: ( is not supported\n'],
    ['seq 12 | grep -nE "^1+$|2"', '1:1\n2:2\n11:11\n12:12\n'],
    ['seq 3 | cat -n', '     1\t1\n     2\t2\n     3\t3\n'],
    ['grep -q root /etc/passwd && echo found', 'found\n'],
    ['grep root /etc/passwd /etc/group | wc -l', '2\n'],
    ['grep', /^usage: grep/],
    ['head -n many', /^usage: head/],
    ['cat', 'cat: reading from the terminal is not supported\n'],
    ['echo one  two "three  four"', 'one two three  four\n'],
    ["echo '$HOME' $HOME $NONE.", '$HOME /root .\n'],
    ['echo -n a; echo -e "b\\tc"', 'ab\tc\n'],
    ['echo a # b', 'a\n'],
    ['echo a\\ b\\n', 'a b\\n\n'],
    [String.raw`printf 'a\x21\tb\\c\n'`, 'a!\tb\\c\n'],
    ['printf one two\\n', 'one two\n'],
    ['printf "%s=%d\\n" a 1 b 2', 'a=1\nb=2\n'],
    ['false; echo $?', '1\n'],
    ['cd /etc; echo $PWD', '/etc\n'],
    ['make hay; echo $?', 'sh: make: not found\n127\n'],
    ['toString', 'sh: toString: not found\n'],
    ['true && echo yes || echo no', 'yes\n'],
    ['false && echo yes || echo no', 'no\n'],
    ['none 2>/dev/null; none 2>&1 | wc -l', 'sh: none: not found\n1\n'],
    ['', ''],
    ['| cat', 'sh: syntax error: unexpected "|"\n'],
    ['echo a |', 'sh: syntax error: unexpected end of line\n'],
    ['echo a &', 'sh: syntax error: unexpected "&"\n'],
    ['echo >', 'sh: syntax error: unexpected end of line\n'],
    ['echo "a', 'sh: syntax error: unterminated quoted string\n'],
  ] as [string, string | RegExp][])('%s', (line, answer) => {
    const printed = start().answer(line)
    if (typeof answer === 'string') expect(printed).toBe(answer)
    else expect(printed).toMatch(answer)
  })

  test('a program that prints nothing and never ends gives others a turn, and can be ended', () => {
    const { shell, type } = start()
    shell.type(encoder.encode('yes | grep no | wc\r'))
    for (let turn = 0; turn < 20; turn++) expect(decoder.decode(shell.run())).toBe('')
    expect(shell.busy).toBe(true)
    expect(type('\x03')).toBe('^C\r\nguest:~# ')
    expect(shell.busy).toBe(false)
  })

  test('a pattern takes no longer for being malicious', () => {
    const began = performance.now()
    const matches = compilePattern(`${'a*'.repeat(49)}b`)
    expect(matches('a'.repeat(1_000_000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(() => compilePattern('a*'.repeat(100))).toThrow(PatternError)
    expect(() => compilePattern('[a')).toThrow(PatternError)
  })

  test('patterns match as regular expressions do', () => {
    const part = fc.constantFrom('a', 'b', 'a*', 'b+', 'c?', '.', '.*', '[ab]', '[^a]', '[a-c]')
    const pattern = fc
      .tuple(fc.boolean(), fc.array(part, { maxLength: 5 }), fc.boolean())
      .map(([from, parts, to]) => `${from ? '^' : ''}${parts.join('')}${to ? '$' : ''}`)
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 2 }), text, (branches, line) => {
        const joined = branches.join('|')
        expect(compilePattern(joined, { extended: true })(line)).toBe(new RegExp(joined).test(line))
      }),
    )
  })
})

describe('lines are edited', () => {
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
    const { type, line } = start()
    // As a terminal may send them: byte by byte.
    for (const byte of encoder.encode(keys)) type(String.fromCharCode(byte))
    const whole = start()
    whole.type(keys)
    expect(whole.line()).toBe(`guest:~# ${shown}`)
    if (![...keys].some((char) => char > '~')) expect(line()).toBe(whole.line())
  })

  test('keys that would print without end are not all taken', () => {
    const { shell } = start()
    shell.type(encoder.encode('x'.repeat(4_000)))
    expect(shell.type(encoder.encode('\x01\x05'.repeat(30_000))).length).toBeLessThan(300_000)
    shell.type(encoder.encode('\x05'))
    shell.type(encoder.encode('x'.repeat(200_000)))
    // Nor can a line of such a length be changed within, or run.
    expect(decoder.decode(shell.type(encoder.encode('\x01')))).toBe('\x07')
    expect(decoder.decode(shell.type(encoder.encode('\r')))).toBe(
      '\r\nsh: line is too long\r\nguest:~# ',
    )
  })

  test('keys that come byte by byte are the same', () => {
    const { shell, output } = start()
    let shown = ''
    for (const byte of encoder.encode('é日\x1b[D\x1b[1;5C!')) {
      shown += decoder.decode(shell.type([byte]))
    }
    expect(screenLine(output() + shown).text).toBe('guest:~# é日!')
  })

  test('what is on the screen is what is run, whatever was pressed', () => {
    const key = fc.constantFrom('a', 'b', ' ', 'é', '日', up, down, left, right)
    const edit = fc.constantFrom('\x7f', '\x01', '\x05', '\x0b', '\x15', '\x17', '\x19', '\x1b[3~')
    const keys = fc.array(fc.oneof(key, key, edit), { maxLength: 30 })
    fc.assert(
      fc.property(keys, (pressed) => {
        const { type, line, output } = start()
        type('echo first\recho second\r')
        type(pressed.join(''))
        const seen = line()
        // Another server goes on from what is on the screen.
        const other = new Shell(spec, { now: () => BOOTED, upSince: () => BOOTED })
        expect(other.resume(encoder.encode(output()))).toBe('')
        const bar = decoder.decode(other.type(encoder.encode('X')))
        const { text } = screenLine(output().split('\n').at(-1)! + bar)
        expect(text).toBe(seen.replace('|', 'X'))
      }),
      { numRuns: 300 },
    )
  })

  test('Tab completes programs and paths, and shows what there is when asked twice', () => {
    const { type, line } = start()
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
    // A directory only, of those with a dot only if asked.
    type('\x15cd ~steading/\t')
    expect(line()).toBe('guest:~# cd ~steading/|')
    type('.\t')
    expect(line()).toBe('guest:~# cd ~steading/.ssh/|')
    type('\x15dmesg | gre\t')
    expect(line()).toBe('guest:~# dmesg | grep |')
    type('\x15zzz\t\t')
    expect(line()).toBe('guest:~# zzz|')
  })

  test('Ctrl+D leaves the shell, which greets again', () => {
    const { type, line } = start()
    type('cd /etc\r')
    expect(line()).toBe('guest:/etc# |')
    expect(type('\x04')).toMatch(/^exit\r\n[^]*Welcome to guest[^]*guest:~# $/)
  })

  test('what was typed while a program runs is done afterwards', () => {
    const { shell, output, type } = start()
    shell.type(encoder.encode('seq 100000\r'))
    shell.type(encoder.encode('echo later\r'))
    type('')
    expect(output()).toMatch(/guest:~# echo later\r\nlater\r\nguest:~# $/)
  })
})

describe('a shell that goes on for another one', () => {
  const resumed = (output: string) => {
    const next = start()
    const shown = next.shell.resume(encoder.encode(output))
    return { ...next, shown }
  }

  test('is in the same directory, knows what was typed, and has the line', () => {
    const first = start()
    first.type('echo one\rcd /etc\recho given up\x03printf two\recho thr')
    const { type, shown } = resumed(first.output())
    expect(shown).toBe('')
    expect(type('ee\r')).toBe('ee\r\nthree\r\nguest:/etc# ')
    expect(type('history\r')).toMatch(
      /1 {2}echo one\r\n +2 {2}cd \/etc\r\n +3 {2}printf two\r\n +4 {2}echo three\r\n/,
    )
  })

  test('prompts again after a program that has ended with its server', () => {
    const first = start()
    first.type('cd /var\r')
    first.shell.type(encoder.encode('yes\r'))
    const { shown } = resumed(`${first.output()}yes\r\ny\r\ny\r\n`)
    expect(shown).toBe('\r\nguest:/var# ')
  })
})

describe('the machine is asked for', () => {
  test.each([
    ['poweroff', 'off'],
    ['halt', 'off'],
    ['shutdown -h now', 'off'],
    ['shutdown -r now', 'reboot'],
    ['reboot', 'reboot'],
    ['echo bye && reboot; echo never', 'reboot'],
    ['false || poweroff', 'off'],
    ['false && poweroff', undefined],
    ['poweroffs', undefined],
    ['echo c > /proc/sysrq-trigger', 'crash'],
    ['echo x > /proc/sysrq-trigger', undefined],
  ])('%s: %s', (line, wants) => {
    const { shell, type } = start()
    const shown = type(`${line}\r`)
    expect(shell.wants).toBe(wants)
    expect(shown).not.toContain('\nnever')
    // No more keys are taken.
    if (wants) expect(type('echo late\r')).toBe('')
  })

  test('and a kernel that is told to crash says so', () => {
    const { shell } = start()
    expect(decoder.decode(shell.panic())).toMatch(
      /^\[ +7200\.0+\] sysrq: [^]*Kernel panic - not syncing/,
    )
  })
})
