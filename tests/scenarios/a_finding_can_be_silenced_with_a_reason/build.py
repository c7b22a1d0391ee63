# SPDX-License-Identifier: Apache-2.0
from world import World, folder

world = World(folder())
world.install(*world.libraries("cu12"), world.framework(), *world.libraries("cu13"))
open("pyproject.toml", "w").write("""
[[tool.whyso.ignore]]
code = "SO203"
package = "nvidia-alpha-cu13"
until = 9999-12-31
reason = "both are wanted until the move is done"

[[tool.whyso.ignore]]
code = "bytes-belong-to-other"
package = "nvidia_beta.cu12"
reason = "the same"

[[tool.whyso.ignore]]
code = "SO205"
reason = "the compiler leaves files behind"
""")
