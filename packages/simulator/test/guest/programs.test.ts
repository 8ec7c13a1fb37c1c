/** Output of a simulated guest's programs, from the model of its machine. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern, PatternError } from '../../src/os/pattern.ts'
import { decoder, encoder, expectAnswers, spec, startGuest } from '../support/guest.ts'

describe('programs show the machine', () => {
  expectAnswers([
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
  ])

  test('even without disks, interfaces, keys and user data', () => {
    const bare = { ...spec, volumes: [], interfaces: [], sshPublicKeys: [], userData: '' }
    const { answer } = startGuest({ spec: bare })
    expect(answer('lsblk | wc -l')).toBe('1\n')
    expect(answer('df | grep -c rootfs')).toBe('1\n')
    expect(answer('ip a | grep -c inet')).toBe('2\n')
    expect(answer('cat /home/steading/.ssh/* /var/lib/cloud/instance/user-data.txt')).toBe('')
  })

  test('help lists every program with a purpose', () => {
    const { answer } = startGuest()
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
  expectAnswers([
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
  ])
})

describe('programs process text, and lines combine them', () => {
  expectAnswers([
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
  ])

  test('a silent program that never ends yields, and can be stopped', () => {
    const { shell, type } = startGuest()
    shell.type(encoder.encode('yes | grep no | wc\r'))
    for (let turn = 0; turn < 20; turn++) expect(decoder.decode(shell.run())).toBe('')
    expect(shell.busy).toBe(true)
    expect(type('\x03')).toBe('^C\r\nguest:~# ')
    expect(shell.busy).toBe(false)
  })

  test('malicious patterns take no longer', () => {
    // Trying all ways to match would not end.
    const matches = compilePattern(`${'a*'.repeat(49)}b`)
    expect(matches('a'.repeat(1_000_000))).toBe(false)
    expect(() => compilePattern('a*'.repeat(100))).toThrow(PatternError)
    expect(() => compilePattern('[a')).toThrow(PatternError)
  })

  test('patterns match like regular expressions', () => {
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

describe('requests to the machine', () => {
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
    const { shell, type } = startGuest()
    const shown = type(`${line}\r`)
    expect(shell.wants).toBe(wants)
    expect(shown).not.toContain('\nnever')
    // Further keys are ignored.
    if (wants) expect(type('echo late\r')).toBe('')
  })

  test('a kernel told to crash prints a panic message', () => {
    const { shell } = startGuest()
    expect(decoder.decode(shell.panic())).toMatch(
      /^\[ +7200\.0+\] sysrq: [^]*Kernel panic - not syncing/,
    )
  })
})
