# The guest of the tests: a boot sector that prints a line, echoes what is typed at its serial console,
# and repeats each line. Ctrl-D powers it off, as its power button does, Ctrl-R reboots it, and Ctrl-W
# writes to its disk, each time 64 KiB further.
#
#   as --32 guest.S -o guest.o
#   ld -m elf_i386 -Ttext 0x7c00 --oformat binary guest.o -o guest.bin
#   base64 guest.bin
.globl _start
_start:
.code16
  cli
  xor %ax,%ax
  mov %ax,%ds
  mov %ax,%es
  mov %ax,%ss
  mov $0x7c00,%sp
  # enable the power button's status
  mov $0x602,%dx
  mov $0x100,%ax
  out %ax,%dx
  mov $ready,%si
  call puts
line:
  mov $0x8000,%bx       # the line so far
awake:
  mov $0x400,%cx        # looks before it sleeps again
wait:
  mov $0x600,%dx
  in %dx,%ax
  test $0x100,%ax
  jnz off
  mov $0x3fd,%dx
  in %dx,%al
  test $1,%al
  jnz key
  loop wait
  sti                   # until the next tick of the clock, in 55 ms at most
  hlt
  cli
  jmp awake
key:
  mov $0x3f8,%dx
  in %dx,%al
  cmp $4,%al            # Ctrl-D
  je off
  cmp $18,%al           # Ctrl-R
  je reset
  cmp $23,%al           # Ctrl-W
  je write
  cmp $'\r',%al
  je enter
  mov %al,(%bx)
  inc %bx
  call put
  jmp awake
enter:
  movb $0,(%bx)
  mov $crlf,%si
  call puts
  mov $0x8000,%si
  call puts
  mov $crlf,%si
  call puts
  jmp line
write:
  mov $0x4300,%ax
  mov $0x80,%dl
  mov $packet,%si
  int $0x13
  addw $128,sector
  mov $written,%si
  call puts
  jmp line
off:
  mov $bye,%si
  call puts
  mov $0x604,%dx
  mov $0x2000,%ax
  out %ax,%dx
stop:
  hlt
  jmp stop
reset:
  mov $again,%si
  call puts
  mov $0xcf9,%dx
  mov $2,%al
  out %al,%dx
  mov $6,%al
  out %al,%dx
  jmp stop
puts:
  lodsb
  test %al,%al
  jz ret1
  call put
  jmp puts
put:
  mov %al,%ah
full:
  mov $0x3fd,%dx
  in %dx,%al
  test $0x20,%al
  jz full
  mov %ah,%al
  mov $0x3f8,%dx
  out %al,%dx
ret1:
  ret
ready: .asciz "\r\nThe guest is ready.\r\n"
bye: .asciz "\r\nPower off.\r\n"
again: .asciz "\r\nReboot.\r\n"
written: .asciz "\r\nWritten.\r\n"
packet:
  .byte 16, 0
  .word 1, 0x7c00, 0    # one sector, from here
sector:
  .word 2048, 0, 0, 0
crlf: .asciz "\r\n"
.org 510
.word 0xaa55
