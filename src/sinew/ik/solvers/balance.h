// Balance for full_body: where the centre of mass is, how joints move it, and how far it is from being over the
// support. Data flow: IkBalance (ik.h), IkBody → *here* → three rows of the Jacobian.
#pragma once

#include <sinew/ik/solvers/ik_solvers.h>

namespace sinew {

// Once per solve: gives each body joint the mass of all that hangs rigidly on it, and the support its outline.
void set_up_balance(IkMemory& memory, const IkBalance& balance, const IkProblem& problem);

// From the centre of mass to the nearest point that is over the support, across `up`; zero where it is over it.
Vec3d balance_error(const IkMemory& memory);

// Appends rows and errors to a filled Jacobian.
void add_balance_rows(IkMemory& memory, const IkBalance& balance);

}  // namespace sinew
