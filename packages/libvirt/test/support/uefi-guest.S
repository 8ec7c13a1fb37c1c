# The guest of the tests for UEFI: a program that prints a line, and how often it was started, which it
# counts in a variable of the firmware. Its power button powers it off.
#
#   as --64 uefi-guest.S -o guest.o
#   ld -m elf_x86_64 -Ttext 0 --oformat binary guest.o -o bootx64.efi
#   base64 bootx64.efi
.globl _start
_start:
image:
# The headers of a PE image, of which the firmware reads little.
  .ascii "MZ"
  .org 0x3c
  .long 0x40
  .ascii "PE\0\0"
  .word 0x8664, 1       # x86-64, one section
  .long 0, 0, 0
  .word optional_end - optional, 0x22
optional:
  .word 0x20b, 0        # 64 bits
  .long end - code, 0, 0
  .long code - image    # where it begins
  .long code - image
  .quad 0
  .long 0x200, 0x200    # alignment
  .long 0, 0, 0, 0
  .long end - image, code - image, 0
  .word 10, 0           # an application
  .quad 0, 0, 0, 0
  .long 0, 6
  .quad 0, 0, 0, 0, 0, 0
optional_end:
  .ascii ".text\0\0\0"
  .long end - code, code - image, end - code, code - image
  .long 0, 0, 0, 0xe0000020
  .org 0x200
code:
.code64
  sub $0x48,%rsp
  mov 88(%rdx),%rbx     # the services that remain while a system runs
  lea name(%rip),%rcx
  lea vendor(%rip),%rdx
  xor %r8d,%r8d
  lea size(%rip),%r9
  lea count(%rip),%rax
  mov %rax,32(%rsp)
  call *72(%rbx)        # GetVariable
  incb count(%rip)
  lea name(%rip),%rcx
  lea vendor(%rip),%rdx
  mov $7,%r8d           # lasting, and for systems as well
  mov $1,%r9d
  lea count(%rip),%rax
  mov %rax,32(%rsp)
  call *88(%rbx)        # SetVariable
  cli
  lea ready(%rip),%rsi
  mov $0x3fd,%dx
next:
  lodsb
  test %al,%al
  jz printed
  mov %al,%ah
full:
  in %dx,%al
  test $0x20,%al
  jz full
  mov %ah,%al
  mov $0x3f8,%dx
  out %al,%dx
  mov $0x3fd,%dx
  jmp next
printed:
  # enable the power button's status
  mov $0x602,%dx
  mov $0x100,%ax
  out %ax,%dx
wait:
  sti                   # until the next tick of the clock
  hlt
  cli
  mov $0x600,%dx
  in %dx,%ax
  test $0x100,%ax
  jz wait
  mov $2,%ecx           # off
  xor %edx,%edx
  xor %r8d,%r8d
  xor %r9d,%r9d
  call *104(%rbx)       # ResetSystem
size: .quad 1
vendor: .quad 0x11d2f81fc12a7329, 0x3bc93ec9a0004bbb
name: .word 'C', 'o', 'u', 'n', 't', 0
ready: .ascii "\r\nThe guest is ready.\r\nBoot "
count: .asciz "0 by UEFI.\r\n"
  .org 0x400
end:
