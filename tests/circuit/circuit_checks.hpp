// Checks of whole circuits against the reference's digests of their rows.
#pragma once

#include <functional>
#include <pinion/circuit/shape_recorder.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <string>

namespace pinion::test {

// Records a circuit under the eyes of an observer, null for none.
using RecordCircuit = std::function<groth16::ShapeBuilder(circuit::RowObserver*)>;

// Records the circuit and compares rows, checkpoints, counts and densities with circuits/NAME.json. Without that file:
// only records.
groth16::OwnedShape check_circuit(const std::string& name, const RecordCircuit& record);

}  // namespace pinion::test
