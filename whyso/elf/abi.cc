// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/abi.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

namespace whyso::elf {
namespace {

struct MachineFacts {
  Machine machine;
  std::string_view name;
  std::optional<ElfClass> usual_class;
  std::optional<ByteOrder> usual_order;
  std::uint32_t convention_mask = 0;
  bool may_be_silent = false;  // a convention of 0 means "not said"
};

constexpr std::array<MachineFacts, 14> machines = {{
    {Machine::x86_64, "x86-64", ElfClass::elf64, ByteOrder::little},
    {Machine::aarch64, "AArch64", ElfClass::elf64, ByteOrder::little},
    {Machine::i386, "i386", ElfClass::elf32, ByteOrder::little},
    {Machine::arm, "ARM", ElfClass::elf32, ByteOrder::little, 0x600, true},
    {Machine::powerpc64, "PowerPC64", ElfClass::elf64, std::nullopt, 0x3, true},
    {Machine::powerpc, "PowerPC", ElfClass::elf32, ByteOrder::big},
    {Machine::s390, "s390", std::nullopt, ByteOrder::big},
    {Machine::riscv, "RISC-V", std::nullopt, ByteOrder::little, 0xe},
    {Machine::loongarch, "LoongArch", std::nullopt, ByteOrder::little, 0x7},
    {Machine::mips, "MIPS", std::nullopt, std::nullopt},
    {Machine::ia64, "IA-64", ElfClass::elf64, ByteOrder::little},
    {Machine::sparc64, "SPARC64", ElfClass::elf64, ByteOrder::big},
    {Machine::cuda, "CUDA", ElfClass::elf64, ByteOrder::little},
    {Machine::bpf, "BPF", ElfClass::elf64, std::nullopt},
}};

const MachineFacts* find_facts(Machine machine) {
  const auto found =
      std::find_if(machines.begin(), machines.end(),
                   [machine](const MachineFacts& facts) { return facts.machine == machine; });
  return found == machines.end() ? nullptr : &*found;
}

std::string_view width_of(const Abi& abi) {
  return abi.elf_class == ElfClass::elf32 ? "32-bit " : "64-bit ";
}

std::string_view order_of(const Abi& abi) {
  return abi.byte_order == ByteOrder::big ? "big-endian " : "little-endian ";
}

}  // namespace

Abi abi_of(const Header& header) {
  const MachineFacts* facts = find_facts(header.machine);
  return {header.elf_class, header.byte_order, header.machine,
          facts == nullptr ? 0 : header.flags & facts->convention_mask};
}

bool can_share_process(const Abi& a, const Abi& b) {
  if (a.elf_class != b.elf_class || a.byte_order != b.byte_order || a.machine != b.machine) {
    return false;
  }
  const MachineFacts* facts = find_facts(a.machine);
  const bool one_is_silent =
      facts != nullptr && facts->may_be_silent && (a.convention == 0 || b.convention == 0);
  return one_is_silent || a.convention == b.convention;
}

std::string name_of(const Abi& abi) {
  // x32: 64-bit code with 32-bit addresses, a convention of its own.
  if (abi.machine == Machine::x86_64 && abi.elf_class == ElfClass::elf32) return "x32";
  const MachineFacts* facts = find_facts(abi.machine);
  std::string name;
  if (facts == nullptr || !facts->usual_order || *facts->usual_order != abi.byte_order) {
    name += order_of(abi);
  }
  if (facts == nullptr || !facts->usual_class || *facts->usual_class != abi.elf_class) {
    name += width_of(abi);
  }
  if (facts != nullptr) return name.append(facts->name);
  return name + fmt::format("machine {}", static_cast<std::uint16_t>(abi.machine));
}

std::string_view name_of(Machine machine) {
  const MachineFacts* facts = find_facts(machine);
  return facts == nullptr ? std::string_view() : facts->name;
}

std::string_view name_of(ElfClass elf_class) {
  if (elf_class == ElfClass::elf32) return "ELFCLASS32";
  return elf_class == ElfClass::elf64 ? "ELFCLASS64" : "ELFCLASSNONE";
}

}  // namespace whyso::elf
