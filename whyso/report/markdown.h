// SPDX-License-Identifier: Apache-2.0
// The little Markdown that our own pages use, as text for a terminal: headings, paragraphs, lists,
// blocks of code.
#pragma once

#include <string_view>

#include "whyso/report/page.h"

namespace whyso::report {

/// Paragraphs and list items are wrapped, fenced blocks stay as they are.
void write_markdown(Page& page, std::string_view text);

}  // namespace whyso::report
